// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Preemption;
import io.github.kueue4j.core.preemption.Candidate;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The scheduler's request to evict a Workload that holds quota.
 *
 * @param victim as it was when the scheduler decided
 * @param preemptor the Workload that gets the quota
 * @param clusterQueue of the preemptor
 * @param preemption what is written into the victim
 * @param noteOnVictim of the victim's event
 * @param noteOnPreemptor of the preemptor's event; the same for all of its victims
 */
@API(status = API.Status.INTERNAL)
public record PreemptionOrder(
    Candidate victim,
    ObjectKey preemptor,
    String clusterQueue,
    Preemption preemption,
    String noteOnVictim,
    String noteOnPreemptor) {

  /**
   * Whether a version of the victim still has the reservation that is needed. After it was released
   * and the victim has got quota again, the scheduler has to decide anew.
   */
  public boolean concerns(Workload workload) {
    return victim.uid().equals(Uids.of(workload))
        && (victim.reservedSince().equals(Instant.MAX)
            || workload
                .conditions()
                .findTrue(WorkloadConditions.QUOTA_RESERVED)
                .filter(reserved -> victim.reservedSince().equals(reserved.lastTransitionTime()))
                .isPresent());
  }
}
