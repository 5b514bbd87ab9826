// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The amount that is kept for one Workload until its run is over.
 *
 * @param claimant the Workload that it is for
 * @param charge what it costs
 * @param attempt since when quota is reserved for it: one reservation of quota is one attempt
 * @param at when the amount was reserved
 * @param past seconds that it had run in earlier attempts
 * @param startedAt when it was admitted; absent before that
 * @param overSince since when the budget has been exceeded while it runs; absent if it is not
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Reservation(
    Claimant claimant,
    Charge charge,
    Instant attempt,
    Instant at,
    int past,
    @Nullable Instant startedAt,
    @Nullable Instant overSince) {

  /**
   * The Workload that an amount is kept for.
   *
   * @param uid of the Workload
   * @param workload its name
   * @param payer to whom it is booked
   * @param check the AdmissionCheck that it was reserved for, if that may have alternatives; empty:
   *     it is charged whichever check lets the Workload through
   */
  public record Claimant(String uid, String workload, Payer payer, String check) {}

  /**
   * The costs of a run.
   *
   * @param rate what it costs while it runs
   * @param projected how long it is expected to run; zero: it is charged as it runs
   * @param limited whether the projected time is one that the queue controller enforces
   * @param held how many pods of each pod set hold quota, with commas, once some have given theirs
   *     back; empty before that
   * @param from since when it costs that rate, and what the projected time is counted from; what
   *     ran before that is settled. Absent: since it was admitted
   */
  public record Charge(
      Rate rate, Duration projected, boolean limited, String held, @Nullable Instant from) {}

  /** One that hasn't started, of the attempt that began at the same time. */
  public static Reservation of(Claimant claimant, Charge charge, Instant at) {
    return new Reservation(claimant, charge, at, at, 0, null, null);
  }

  /** The same in an attempt that began then, after the Workload had run for so many seconds. */
  public Reservation inAttempt(Instant since, int ranBefore) {
    return new Reservation(claimant, charge, since, at, ranBefore, startedAt, overSince);
  }

  public String uid() {
    return claimant.uid;
  }

  public String workload() {
    return claimant.workload;
  }

  /** Its LocalQueue; may be empty. */
  public String queue() {
    return claimant.payer.queue();
  }

  /** See {@link Payer#user}. */
  public String user() {
    return claimant.payer.user();
  }

  public Rate rate() {
    return charge.rate;
  }

  /** What is kept for it: what it is expected to cost, less what is settled already. */
  public Amount cost() {
    return charge.rate.during(charge.projected);
  }

  /** The same, started at this time. */
  public Reservation started(Instant when) {
    return with(charge, when, overSince);
  }

  /** The same with this moment since when the budget has been exceeded. */
  public Reservation over(@Nullable Instant since) {
    return with(charge, startedAt, since);
  }

  /** The same, booked to its LocalQueue only. */
  Reservation withoutUser() {
    return with(new Claimant(uid(), workload(), claimant.payer.ofOthers(), claimant.check));
  }

  /** The same, charged whichever check lets the Workload through. */
  Reservation ofAnyCheck() {
    return with(new Claimant(uid(), workload(), claimant.payer, ""));
  }

  private Reservation with(Claimant other) {
    return new Reservation(other, charge, attempt, at, past, startedAt, overSince);
  }

  private Reservation with(Charge other, @Nullable Instant started, @Nullable Instant over) {
    return new Reservation(claimant, other, attempt, at, past, started, over);
  }

  /**
   * The same with the time for which it may run by now, at the same rate. One that isn't enforced
   * stays what it was when it was reserved.
   */
  Reservation projectedAs(Reservation asked) {
    Duration before =
        startedAt == null || charge.from == null
            ? Duration.ZERO
            : Duration.between(startedAt, charge.from);
    boolean limited = asked.charge.limited;
    Duration time = limited ? less(asked.charge.projected, before) : charge.projected;
    return with(
        new Charge(charge.rate, time, limited, charge.held, charge.from), startedAt, overSince);
  }

  /** Whether a run that asks for this is charged accordingly. */
  public boolean isChargedAs(Reservation asked) {
    return charge.held.equals(asked.charge.held) && equals(projectedAs(asked));
  }

  /** The same at another rate from this moment on; what has run before counts no more. */
  Reservation chargedFrom(Instant when, Rate other, String stillHeld) {
    @Nullable Instant begun = begun();
    Duration before = begun == null ? Duration.ZERO : Duration.between(begun, when);
    Duration rest = less(charge.projected, before);
    return with(new Charge(other, rest, charge.limited, stillHeld, when), startedAt, overSince);
  }

  private static Duration less(Duration all, Duration part) {
    Duration rest = all.minus(part);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  /** Since when it costs what it costs now; absent before its admission. */
  @Nullable Instant begun() {
    return startedAt == null || charge.from == null || startedAt.isAfter(charge.from)
        ? startedAt
        : charge.from;
  }

  /** When the queue controller ends it at the latest; empty: it doesn't, or it hasn't started. */
  public Optional<Instant> latestEnd() {
    @Nullable Instant begun = begun();
    return begun == null || !charge.limited
        ? Optional.empty()
        : Optional.of(begun.plus(charge.projected));
  }

  /** Whether the same is asked for again. */
  public boolean asks(Reservation other) {
    return charge.rate.equals(other.charge.rate)
        && charge.projected.equals(other.charge.projected)
        && charge.limited == other.charge.limited
        && charge.held.equals(other.charge.held);
  }

  /** The part that falls into a window that began then. */
  Use use(Instant start, Instant now) {
    return new Use(ran(start, now), remaining(now));
  }

  /** The cost between two moments, as far as the Workload ran. */
  public Amount ran(Instant from, Instant to) {
    @Nullable Instant begun = begun();
    if (begun == null) {
      return Amount.ZERO;
    }
    Instant begin = begun.isAfter(from) ? begun : from;
    return charge.rate.during(Duration.between(begin, to));
  }

  /** The amount that is kept for the time that the Workload still may run. */
  Amount remaining(Instant now) {
    return cost().minus(ran(Objects.requireNonNullElse(startedAt, now), now));
  }
}
