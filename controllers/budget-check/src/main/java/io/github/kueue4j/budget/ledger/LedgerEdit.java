// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Several changes of a ledger that cost one copy of it together:
 *
 * <pre>{@code
 * Ledger after = new LedgerEdit(ledger).start("a", now).settle("b", now, terms).ledger();
 * }</pre>
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LedgerEdit {
  private final Ledger before;
  private final Map<String, Reservation> open;
  private final Totals spent;
  private final Totals past;
  private long settled;
  private boolean changed;

  /** Begins with this ledger, which stays as it is. */
  public LedgerEdit(Ledger before) {
    this.before = before;
    this.open = new HashMap<>(before.open());
    this.spent = new Totals(before.spent());
    this.past = new Totals(before.past());
    this.settled = before.settled();
  }

  /** The run of this Workload has begun. */
  public LedgerEdit start(String uid, Instant at) {
    @Nullable Reservation one = open.get(uid);
    if (one != null && !at.equals(one.startedAt())) {
      open.put(uid, one.started(at));
      changed = true;
    }
    return this;
  }

  /**
   * The run of this Workload is over: what ran is spent, the rest is given back.
   *
   * @param end when it stopped
   */
  public LedgerEdit settle(String uid, Instant end, Terms terms) {
    @Nullable Reservation one = open.remove(uid);
    if (one == null) {
      return this;
    }
    changed = true;
    settled++;
    spend(one, end, terms);
    return this;
  }

  /**
   * Charges a Workload whose cost has changed while it runs: it is charged whether or not that
   * fits.
   *
   * @param asked the rate from now on, and the time that it may run since its admission
   * @param now whole seconds
   */
  public LedgerEdit charge(Reservation asked, Instant now, Terms terms) {
    @Nullable Reservation one = open.get(asked.uid());
    if (one == null) {
      return this;
    }
    Reservation after = one.projectedAs(asked);
    if (!after.charge().held().equals(asked.charge().held())) {
      spend(after, now, terms);
      after = after.chargedFrom(now, asked.rate(), asked.charge().held());
    }
    if (!after.equals(one)) {
      open.put(asked.uid(), after);
      changed = true;
    }
    return this;
  }

  private void spend(Reservation one, Instant end, Terms terms) {
    @Nullable Instant begun = one.begun();
    if (begun == null) {
      return;
    }
    Payer payer = one.claimant().payer();
    Instant earliest = before.since().minus(Totals.LONGEST_PAST);
    Instant from = begun.isAfter(earliest) ? begun : earliest;
    while (from.isBefore(end)) {
      boolean passed = from.isBefore(before.since());
      Window.Slot slot = passed ? terms.window().period(from) : terms.window().slot(from);
      Instant to = passed && slot.to().isAfter(before.since()) ? before.since() : slot.to();
      to = to.isBefore(end) ? to : end;
      (passed ? past : spent).add(slot.from(), payer, one.ran(from, to));
      from = to;
    }
  }

  /** The ledger with all of it. */
  public Ledger ledger() {
    return changed
        ? new Ledger(
            before.since(),
            before.carried(),
            spent.sums(),
            past.past(before.since(), Totals.MOST_PAST),
            open,
            settled)
        : before;
  }
}
