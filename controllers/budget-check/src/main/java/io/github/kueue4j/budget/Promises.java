// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Workloads whose delay has just ended because the budget sufficed: until they have had the
 * time to reserve, what they need is not held out to others. Otherwise, whenever something is given
 * back, all that wait would be queued again for what only some can get. Kept in memory: after a
 * restart too many may be queued, which gives nothing away.
 */
final class Promises {
  private static final Duration HELD_FOR = Duration.ofMinutes(2);

  // Guarded by this object's monitor, as the maps in it are.
  private final Map<LedgerName, Map<String, Reservation>> byLedger = new HashMap<>();

  // Those of which a promise lapsed since they were looked at; guarded as above.
  private final Set<LedgerName> lapsed = new HashSet<>();

  /**
   * How the promises of one ledger stand.
   *
   * @param lapsed whether one has lapsed since the last look
   * @param next how long until the next one lapses; empty: there is none
   */
  record Held(boolean lapsed, Optional<Duration> next) {}

  /** Drops what was kept or has lapsed, and tells what is left. */
  synchronized Held look(LedgerName name, Ledger ledger, Instant now) {
    Map<String, Reservation> promised = byLedger.getOrDefault(name, new HashMap<>());
    drop(name, promised, ledger, now);
    if (promised.isEmpty()) {
      byLedger.remove(name);
    }
    Optional<Duration> next =
        promised.values().stream()
            .map(Reservation::at)
            .min(Comparator.naturalOrder())
            .map(oldest -> Duration.between(now, oldest.plus(HELD_FOR)));
    return new Held(lapsed.remove(name), next);
  }

  private void drop(
      LedgerName name, Map<String, Reservation> promised, Ledger ledger, Instant now) {
    promised.keySet().removeIf(ledger.open()::containsKey);
    if (promised
        .values()
        .removeIf(one -> Duration.between(one.at(), now).compareTo(HELD_FOR) > 0)) {
      lapsed.add(name);
    }
  }

  /**
   * Whether the delay of this Workload may end; remembered if so.
   *
   * @param ledger rolled to now
   */
  synchronized Answer ask(
      LedgerName name, Ledger ledger, Reservation asked, Terms terms, Instant now) {
    Map<String, Reservation> promised = byLedger.computeIfAbsent(name, key -> new HashMap<>());
    drop(name, promised, ledger, now);
    Map<String, Reservation> open = new HashMap<>(ledger.open());
    open.putAll(promised);
    open.remove(asked.uid());
    Ledger withPromises =
        new Ledger(ledger.since(), ledger.carried(), ledger.spent(), open, ledger.settled());
    Answer answer = withPromises.reserve(asked, terms, now);
    if (answer instanceof Answer.Granted) {
      promised.put(asked.uid(), asked);
    } else {
      promised.remove(asked.uid());
    }
    if (promised.isEmpty()) {
      byLedger.remove(name);
    }
    return answer;
  }
}
