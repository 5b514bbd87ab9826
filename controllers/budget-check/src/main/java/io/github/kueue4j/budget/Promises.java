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
import java.util.HashMap;
import java.util.Map;

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

  /**
   * Whether the delay of this Workload may end; remembered if so.
   *
   * @param ledger rolled to now
   */
  synchronized Answer ask(
      LedgerName name, Ledger ledger, Reservation asked, Terms terms, Instant now) {
    Map<String, Reservation> promised = byLedger.computeIfAbsent(name, key -> new HashMap<>());
    promised
        .values()
        .removeIf(
            one ->
                ledger.open().containsKey(one.uid())
                    || Duration.between(one.at(), now).compareTo(HELD_FOR) > 0);
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
