// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What is kept for one Workload until its run is over.
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
    @Nullable Instant overSince) {

  /** What it is expected to cost in all. */
  public Amount cost() {
    return rate.during(projected);
  }

  /** The same, started at this time. */
  public Reservation started(Instant when) {
    return new Reservation(
        uid, workload, queue, attempt, at, rate, projected, past, when, overSince);
  }

  /** The same with this moment since when the budget has been exceeded. */
  public Reservation over(@Nullable Instant since) {
    return new Reservation(
        uid, workload, queue, attempt, at, rate, projected, past, startedAt, since);
  }

  /** What it takes of a window that began then. */
  Use use(Instant start, Instant now) {
    return new Use(ran(start, now), remaining(now));
  }

  /** What it has cost between two moments, as far as it ran. */
  Amount ran(Instant from, Instant to) {
    if (startedAt == null) {
      return Amount.ZERO;
    }
    Instant begin = startedAt.isAfter(from) ? startedAt : from;
    return rate.during(Duration.between(begin, to));
  }

  /** What is kept for the time that it still may run. */
  Amount remaining(Instant now) {
    return cost().minus(ran(Objects.requireNonNullElse(startedAt, now), now));
  }
}
