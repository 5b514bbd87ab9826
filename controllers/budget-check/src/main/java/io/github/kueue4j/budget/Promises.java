// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.books.LedgerName;
import io.github.kueue4j.budget.ledger.Answer;
import io.github.kueue4j.budget.ledger.Limit;
import io.github.kueue4j.budget.ledger.Reckoned;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The Workloads whose delay has just ended because the budget sufficed: until they have had the
 * time to reserve, what they need is not held out to others. Otherwise, whenever something is given
 * back, all that wait would be queued again for what only some can get. Kept in memory: after a
 * restart too many may be queued, which gives nothing away.
 */
final class Promises {

  private final Map<LedgerName, PromisesOfLedger> byLedger = new ConcurrentHashMap<>();
  private volatile Consumer<LedgerName> promised = name -> {};

  /** Calls this with each ledger of which something was promised. */
  void whenPromised(Consumer<LedgerName> listener) {
    promised = listener;
  }

  /**
   * How the promises of one ledger stand.
   *
   * @param lapsed whether one has lapsed since the last look
   * @param next how long until the next one lapses; empty: there is none
   */
  record Held(boolean lapsed, Optional<Duration> next) {}

  /** Drops what was kept or has lapsed, and tells what is left. */
  Held look(LedgerName name, Reckoned ledger, Instant now) {
    return of(name).look(ledger, now);
  }

  /** Asks whether the delay of this Workload may end; remembered if so. */
  Answer ask(LedgerName name, Reckoned ledger, Reservation asked, Terms terms, Instant now) {
    for (Limit limit : terms.concerning(asked.queue())) {
      // Reckoned before the lock is taken, and found again under it.
      ledger.use(terms.window(), now, limit.queue());
    }
    Answer answer = of(name).ask(ledger, asked, terms, now);
    if (answer instanceof Answer.Granted) {
      promised.accept(name);
    }
    return answer;
  }

  /** Drops what was promised of a ledger that is gone. */
  void forget(LedgerName name) {
    byLedger.remove(name);
  }

  private PromisesOfLedger of(LedgerName name) {
    return byLedger.computeIfAbsent(name, key -> new PromisesOfLedger());
  }
}
