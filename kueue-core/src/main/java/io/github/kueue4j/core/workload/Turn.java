// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.owner.WorkloadJob;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.PreemptionOrder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The facts that one step of a Workload's reconciliation starts from. {@link WorkloadReconciler}
 * reads it; the parts of the step look nothing up again.
 *
 * @param key of the Workload
 * @param workload the version that the step is about; its patches are guarded by it
 * @param job the Job that runs on the Workload
 * @param situation what the lifecycle decides from
 * @param reservation what the scheduler has decided to reserve for the Workload; null if nothing
 * @param preemption the request to evict the Workload for another; null if there is none
 * @param now when all this was read; whatever the step writes is dated so, also after it has waited
 *     for an answer
 */
record Turn(
    ObjectKey key,
    Workload workload,
    WorkloadJob job,
    Situation situation,
    @Nullable AssumedReservation reservation,
    @Nullable PreemptionOrder preemption,
    Instant now) {

  /** This turn with what is known about the Job by now. */
  Turn knowing(Owner owner) {
    return new Turn(key, workload, job, situation.withOwner(owner), reservation, preemption, now);
  }

  Phase phase() {
    return situation.phase();
  }

  boolean holdsQuota() {
    return Phase.holdsQuota(workload);
  }
}
