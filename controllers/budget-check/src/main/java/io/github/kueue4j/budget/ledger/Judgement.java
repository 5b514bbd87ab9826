// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The judgement on whether a Workload fits into a ledger.
 *
 * @param ledger for what was carried over, and for when what was spent stops to count
 * @param uses what is used by others
 */
record Judgement(Ledger ledger, Terms terms, Instant now, Uses uses) {

  /** Tells what is used of a limit. */
  @FunctionalInterface
  interface Uses {
    /** In the window of this time; of the namespace if the LocalQueue is empty. */
    Use at(Instant time, String queue);
  }

  /**
   * Decides.
   *
   * @param after the ledger with its reservation
   * @param again whether that is the ledger as it is
   */
  Answer of(Reservation asked, Ledger after, boolean again) {
    Answer.@Nullable Granted granted = null;
    Answer.@Nullable Exhausted exhausted = null;
    for (Limit limit : terms.concerning(asked.queue())) {
      Use use = use(now, limit);
      Amount most = ledger.effective(limit);
      Amount ever = limit.amount().plus(carriable(limit));
      if (!again && asked.cost().exceeds(ever)) {
        return new Answer.NeverFits(ever, limit.queue());
      }
      if (!again && exhausted == null && !fits(asked, use, most)) {
        exhausted = new Answer.Exhausted(most, limit.queue(), use, enoughAt(asked, limit));
      }
      Amount left = most.minus(use.total()).minus(again ? Amount.ZERO : asked.cost());
      if (granted == null || granted.left().exceeds(left)) {
        granted = new Answer.Granted(after, left, most, limit.queue());
      }
    }
    if (exhausted != null) {
      return exhausted;
    }
    return granted == null ? new Answer.Granted(after, Amount.ZERO, Amount.ZERO, "") : granted;
  }

  private Use use(Instant time, Limit limit) {
    return terms.measured(uses.at(time, limit.queue()), limit.queue());
  }

  private Amount carriable(Limit limit) {
    return limit.queue().isEmpty() ? terms.carryOver() : Amount.ZERO;
  }

  /** What is charged as it runs needs at least something that is left. */
  private static boolean fits(Reservation asked, Use use, Amount most) {
    if (asked.rate().isFree()) {
      return true;
    }
    return asked.cost().isZero()
        ? most.exceeds(use.total())
        : !use.total().plus(asked.cost()).exceeds(most);
  }

  /** When what is settled has left the window far enough; open reservations may end any time. */
  private Instant enoughAt(Reservation asked, Limit limit) {
    Window window = terms.window();
    // When what was measured leaves the window is not known.
    if (terms.isMeasured(limit.queue()) || !(window instanceof Window.Rolling rolling)) {
      return window.end(now);
    }
    Amount most = ledger.effective(limit);
    Optional<Instant> enough =
        ledger.spent().tailMap(window.start(now)).keySet().stream()
            .map(slot -> window.slot(slot).to().plus(rolling.length()))
            .filter(gone -> fits(asked, uses.at(gone, limit.queue()), most))
            .findFirst();
    return enough.orElseGet(() -> now.plus(rolling.length().dividedBy(4)));
  }
}
