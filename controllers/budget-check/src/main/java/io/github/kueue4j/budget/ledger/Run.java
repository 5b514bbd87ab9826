// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/** The run of a Workload since an amount was reserved for it, as its conditions tell. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Run {

  /** It hasn't been admitted yet. */
  record Waiting() implements Run {}

  /** It runs since then. */
  record Running(Instant since) implements Run {}

  /**
   * It is over.
   *
   * @param start absent: it never ran, or not at the cost of this budget
   */
  record Over(Optional<Instant> start, Instant end) implements Run {}

  /** The object is older than the reservation: it says nothing about it. */
  record Outdated() implements Run {}

  /** Reads the run from the Workload of that uid. */
  static Run of(Reservation reservation, Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    Instant quota = conditions.changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(Instant.EPOCH);
    if (quota.isBefore(reservation.attempt())) {
      return new Outdated();
    }
    Optional<Instant> started = Optional.ofNullable(reservation.startedAt());
    if (!conditions.reserved() || quota.isAfter(reservation.attempt())) {
      return ofEarlierAttempt(reservation, workload, quota);
    }
    Optional<Instant> admitted = conditions.trueSince(WorkloadConditions.ADMITTED);
    if (admitted.isPresent() && started.isEmpty() && byAnAlternative(reservation, workload)) {
      return new Over(Optional.empty(), admitted.get());
    }
    Optional<Instant> finished = conditions.trueSince(WorkloadConditions.FINISHED);
    if (finished.isPresent()) {
      return new Over(admitted.or(() -> started), finished.get());
    }
    if (admitted.isPresent()) {
      return new Running(admitted.get());
    }
    return started.<Run>map(start -> afterStart(start, conditions)).orElseGet(Waiting::new);
  }

  /**
   * Whether it was admitted with the answer of an alternative to its check: only what it is
   * admitted with has an entry then ({@link io.github.kueue4j.api.CheckGroup}). Once the run was
   * seen to begin with the entry, it goes on whatever becomes of that.
   */
  private static boolean byAnAlternative(Reservation reservation, Workload workload) {
    String check = reservation.claimant().check();
    return !check.isEmpty() && workload.status().admissionCheck(check).isEmpty();
  }

  /** Only the end of its admission tells that it is over: without that, the object is older. */
  private static Run afterStart(Instant start, WorkloadConditions conditions) {
    return conditions
        .findFalse(WorkloadConditions.ADMITTED)
        .map(condition -> condition.lastTransitionTime())
        .filter(end -> !end.isBefore(start))
        .<Run>map(end -> new Over(Optional.of(start), end))
        .orElseGet(Outdated::new);
  }

  private static Run ofEarlierAttempt(
      Reservation reservation, Workload workload, Instant quotaChanged) {
    WorkloadConditions conditions = workload.conditions();
    Instant end =
        conditions
            .findFalse(WorkloadConditions.ADMITTED)
            .map(condition -> condition.lastTransitionTime())
            .filter(when -> !when.isBefore(reservation.attempt()))
            .or(
                () ->
                    conditions
                        .trueSince(WorkloadConditions.FINISHED)
                        .filter(when -> when.isBefore(quotaChanged)))
            .orElse(quotaChanged);
    Optional<Instant> start = Optional.ofNullable(reservation.startedAt());
    if (start.isPresent()) {
      return new Over(start, end);
    }
    // It may have run while no controller saw it.
    int ran =
        Objects.requireNonNullElse(workload.status().accumulatedPastExecutionTimeSeconds(), 0)
            - reservation.past();
    return new Over(ran > 0 ? Optional.of(end.minusSeconds(ran)) : Optional.empty(), end);
  }
}
