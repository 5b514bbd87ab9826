// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.sdk.maintenance.Maintenance;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Wakes the Workloads that wait when a promise lapses: what it kept is theirs to ask for. */
final class LapsedPromises implements Maintenance {

  /** Promises that were made in the same second lapse together. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(1);

  private final Promises promises;
  private final Agreements agreements;
  private final Consumer<String> wakeNamespace;
  private final InstantSource time;

  LapsedPromises(
      Promises promises,
      Agreements agreements,
      Consumer<String> wakeNamespace,
      InstantSource time) {
    this.promises = promises;
    this.agreements = agreements;
    this.wakeNamespace = wakeNamespace;
    this.time = time;
  }

  @Override
  public Optional<Duration> maintain(ObjectKey key) {
    Optional<LedgerName> name = LedgerName.of(key);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Promises.Held held = promises.look(name.get(), agreements.ledger(name.get()), time.instant());
    if (held.lapsed()) {
      wakeNamespace.accept(name.get().namespace());
    }
    return held.next().map(AFTERWARDS::plus);
  }
}
