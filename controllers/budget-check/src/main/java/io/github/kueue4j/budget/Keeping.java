// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.ledger.LedgerEdit;
import io.github.kueue4j.budget.ledger.Reservation;
import io.github.kueue4j.budget.ledger.Run;
import io.github.kueue4j.budget.ledger.Terms;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Brings a ledger up to what has become of its Workloads. A function of values. */
final class Keeping {

  private Keeping() {}

  /**
   * A reservation and what was seen of its Workload.
   *
   * @param attempt for which it was seen; another one stays as it is
   */
  record Seen(Instant attempt, Run run) {}

  /** The ledger with starts and ends entered, by the uid of the Workload. */
  static Ledger caughtUp(Ledger ledger, Map<String, Seen> seen, Terms terms) {
    LedgerEdit edit = new LedgerEdit(ledger);
    for (Map.Entry<String, Seen> one : seen.entrySet()) {
      @Nullable Reservation reservation = ledger.open().get(one.getKey());
      if (reservation != null && reservation.attempt().equals(one.getValue().attempt())) {
        switch (one.getValue().run()) {
          case Run.Waiting waiting -> {}
          case Run.Outdated unknown -> {}
          case Run.Running running -> edit.start(one.getKey(), running.since());
          case Run.Over over -> end(edit, one.getKey(), over, terms);
        }
      }
    }
    return edit.ledger();
  }

  /** The ledger with this reservation settled. */
  static Ledger over(Ledger ledger, Reservation reservation, Run.Over over, Terms terms) {
    LedgerEdit edit = new LedgerEdit(ledger);
    end(edit, reservation.uid(), over, terms);
    return edit.ledger();
  }

  private static void end(LedgerEdit edit, String uid, Run.Over over, Terms terms) {
    over.start().ifPresent(start -> edit.start(uid, start));
    edit.settle(uid, over.end(), terms);
  }
}
