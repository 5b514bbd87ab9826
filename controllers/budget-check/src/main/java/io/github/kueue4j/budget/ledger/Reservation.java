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
 * @param uid of the Workload
 * @param workload its name
 * @param queue its LocalQueue; may be empty
 * @param attempt since when quota is reserved for it: one reservation of quota is one attempt
 * @param at when the amount was reserved
 * @param rate what it costs while it runs
 * @param projected how long it is expected to run; zero: it is charged as it runs
 * @param past seconds that it had run in earlier attempts
 * @param startedAt when it was admitted; absent before that
 * @param overSince since when the budget has been exceeded while it runs; absent if it is not
 * @param held how many pods of each pod set hold quota, with commas, once some have given theirs
 *     back; empty before that
 * @param chargedFrom since when it costs that rate, and what the projected time is counted from;
 *     what ran before that is settled. Absent: since it was admitted
 * @param limited whether the projected time is one that the queue controller enforces
 * @param user to whom it is booked, see {@link Payer}; may be empty
 * @param check the AdmissionCheck that it was reserved for, if that may have alternatives; empty:
 *     it is charged whichever check lets the Workload through
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Reservation(
    String uid,
    String workload,
    String queue,
    Instant attempt,
    Instant at,
    Rate rate,
    Duration projected,
    int past,
    @Nullable Instant startedAt,
    @Nullable Instant overSince,
    String held,
    @Nullable Instant chargedFrom,
    boolean limited,
    String user,
    String check) {

  /** One whose time is not enforced, and all of whose pods hold their quota. */
  public Reservation(
      String uid,
      String workload,
      String queue,
      Instant attempt,
      Instant at,
      Rate rate,
      Duration projected,
      int past,
      @Nullable Instant startedAt,
      @Nullable Instant overSince) {
    this(
        uid, workload, queue, attempt, at, rate, projected, past, startedAt, overSince, "", null,
        false, "", "");
  }

  /** What is kept for it: what it is expected to cost, less what is settled already. */
  public Amount cost() {
    return rate.during(projected);
  }

  /** The same, started at this time. */
  public Reservation started(Instant when) {
    return with(rate, projected, when, overSince, held, chargedFrom, limited);
  }

  /** The same with this moment since when the budget has been exceeded. */
  public Reservation over(@Nullable Instant since) {
    return with(rate, projected, startedAt, since, held, chargedFrom, limited);
  }

  /** The same, booked to its LocalQueue only. */
  Reservation withoutUser() {
    return booked(user.isEmpty() ? "" : Payer.OTHERS, check);
  }

  /** The same, charged whichever check lets the Workload through. */
  Reservation ofAnyCheck() {
    return booked(user, "");
  }

  private Reservation booked(String user, String check) {
    return new Reservation(
        uid,
        workload,
        queue,
        attempt,
        at,
        rate,
        projected,
        past,
        startedAt,
        overSince,
        held,
        chargedFrom,
        limited,
        user,
        check);
  }

  /** The reservation of the same Workload and attempt. */
  private Reservation with(
      Rate rate,
      Duration projected,
      @Nullable Instant startedAt,
      @Nullable Instant overSince,
      String held,
      @Nullable Instant chargedFrom,
      boolean limited) {
    return new Reservation(
        uid,
        workload,
        queue,
        attempt,
        at,
        rate,
        projected,
        past,
        startedAt,
        overSince,
        held,
        chargedFrom,
        limited,
        user,
        check);
  }

  /**
   * The same with the time for which it may run by now, at the same rate. One that isn't enforced
   * stays what it was when it was reserved.
   */
  Reservation projectedAs(Reservation asked) {
    Duration before =
        startedAt == null || chargedFrom == null
            ? Duration.ZERO
            : Duration.between(startedAt, chargedFrom);
    Duration time = asked.limited ? less(asked.projected, before) : projected;
    return with(rate, time, startedAt, overSince, held, chargedFrom, asked.limited);
  }

  /** Whether a run that asks for this is charged accordingly. */
  public boolean isChargedAs(Reservation asked) {
    return held.equals(asked.held) && equals(projectedAs(asked));
  }

  /** The same at another rate from this moment on; what has run before counts no more. */
  Reservation chargedFrom(Instant when, Rate other, String stillHeld) {
    @Nullable Instant begun = begun();
    Duration before = begun == null ? Duration.ZERO : Duration.between(begun, when);
    return with(other, less(projected, before), startedAt, overSince, stillHeld, when, limited);
  }

  private static Duration less(Duration all, Duration part) {
    Duration rest = all.minus(part);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  /** Since when it costs what it costs now; absent before its admission. */
  @Nullable Instant begun() {
    return startedAt == null || chargedFrom == null || startedAt.isAfter(chargedFrom)
        ? startedAt
        : chargedFrom;
  }

  /** When the queue controller ends it at the latest; empty: it doesn't, or it hasn't started. */
  public Optional<Instant> latestEnd() {
    @Nullable Instant begun = begun();
    return begun == null || !limited ? Optional.empty() : Optional.of(begun.plus(projected));
  }

  /** Whether the same is asked for again. */
  public boolean asks(Reservation other) {
    return rate.equals(other.rate)
        && projected.equals(other.projected)
        && limited == other.limited
        && held.equals(other.held);
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
    return rate.during(Duration.between(begin, to));
  }

  /** The amount that is kept for the time that the Workload still may run. */
  Amount remaining(Instant now) {
    return cost().minus(ran(Objects.requireNonNullElse(startedAt, now), now));
  }
}
