// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.owner.WorkloadJob;
import io.github.kueue4j.core.state.AssumedReservation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one step of a Workload's reconciliation starts from. {@link Turns} makes it; the rooms that
 * the step passes through read it and look nothing up again.
 *
 * @param key of the Workload
 * @param workload the version that the step is about; its patches are guarded by it
 * @param job the Job that runs on the Workload
 * @param situation what the lifecycle decides from
 * @param reservation what the scheduler has decided to reserve for the Workload; null if nothing
 * @param preemption what the scheduler has decided to take from the Workload
 * @param now when all this was read
 */
record Turn(
    ObjectKey key,
    Workload workload,
    WorkloadJob job,
    Situation situation,
    @Nullable AssumedReservation reservation,
    PendingPreemption preemption,
    Instant now) {

  Phase phase() {
    return situation.phase();
  }

  boolean holdsQuota() {
    return Phase.holdsQuota(workload);
  }
}
