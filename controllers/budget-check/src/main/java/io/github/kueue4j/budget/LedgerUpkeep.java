// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.books.Books;
import io.github.kueue4j.budget.books.BudgetLedger;
import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Amount;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Run;
import io.github.kueue4j.budget.ledger.Terms;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.sdk.controller.Maintenance;
import io.github.kueue4j.sdk.controller.ResourceClient;
import io.github.kueue4j.sdk.controller.Watched;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settles what is over: for each ledger, after each change of its Workloads and when a window
 * begins, it enters what has become of the Workloads with open reservations. So it doesn't matter
 * whether a controller ran when they ended.
 */
final class LedgerUpkeep implements Maintenance {

  private final Agreements agreements;
  private final Summaries summaries;
  private final Books books;
  private final Watched<Workload> workloads;
  private final ResourceClient resources;
  private final InstantSource time;

  LedgerUpkeep(
      Agreements agreements,
      Summaries summaries,
      Books books,
      Watched<Workload> workloads,
      ResourceClient resources,
      InstantSource time) {
    this.agreements = agreements;
    this.summaries = summaries;
    this.books = books;
    this.workloads = workloads;
    this.resources = resources;
    this.time = time;
  }

  @Override
  public Optional<Duration> maintain(ObjectKey key) throws InterruptedException {
    Optional<BudgetLedger> object = agreements.ledgers().get(key);
    Optional<LedgerName> name = LedgerName.of(key);
    if (object.isEmpty() || name.isEmpty()) {
      return Optional.empty();
    }
    Ledger ledger = object.get().ledger();
    if (ledger.open().isEmpty() && isGone(name.get().namespace())) {
      resources.delete(BudgetLedger.TYPE, object.get());
      return Optional.empty();
    }
    Optional<Policy> policy = summaries.policy(name.get());
    return policy.isEmpty()
        ? Optional.empty()
        : Optional.of(catchUp(name.get(), policy.get(), ledger));
  }

  private Duration catchUp(LedgerName name, Policy policy, Ledger ledger)
      throws InterruptedException {
    Instant now = time.instant();
    Terms terms =
        agreements.of(policy, name.namespace()) instanceof Agreements.Agreement.Agreed agreed
            ? agreed.terms()
            : new Terms(policy.window(), List.of(), Optional.empty(), Amount.ZERO);
    Map<String, Keeping.Seen> seen = new HashMap<>();
    for (Reservation one : ledger.open().values()) {
      seen.put(one.uid(), new Keeping.Seen(one.attempt(), run(name.namespace(), one, now)));
    }
    if (!Keeping.caughtUp(ledger.roll(terms, now), seen, terms).equals(ledger)) {
      books.change(
          name,
          now,
          stored -> {
            Ledger after = Keeping.caughtUp(stored.roll(terms, now), seen, terms);
            return new Books.Outcome<>(after, after);
          });
    }
    return Duration.between(now, policy.window().end(now));
  }

  private Run run(String namespace, Reservation one, Instant now) {
    ObjectKey key = new ObjectKey(namespace, one.workload());
    Optional<Workload> known = workloads.get(key).filter(workload -> isOf(one, workload));
    if (known.isPresent()) {
      return Run.of(one, known.get());
    }
    // The cache may be behind: only a live look tells that it is gone.
    Optional<Workload> live =
        resources.get(KueueTypes.WORKLOAD, key).filter(workload -> isOf(one, workload));
    Instant second = Instant.ofEpochSecond(now.getEpochSecond());
    return live.map(workload -> Run.of(one, workload))
        .orElseGet(() -> new Run.Over(Optional.ofNullable(one.startedAt()), second));
  }

  private static boolean isOf(Reservation one, Workload workload) {
    return one.uid().equals(workload.metadata().getUid());
  }

  private boolean isGone(String namespace) {
    return agreements.namespaces().get(ObjectKey.cluster(namespace)).isEmpty();
  }
}
