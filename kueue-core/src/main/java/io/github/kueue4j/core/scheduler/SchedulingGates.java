// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import org.apiguardian.api.API;

/**
 * The feature gates that concern scheduling.
 *
 * @param partialAdmission whether a Workload that allows fewer pods gets quota for fewer if there
 *     is none for all (KEP-420)
 * @param flavorFungibility whether {@code flavorFungibility} of ClusterQueues applies; otherwise
 *     its defaults do
 * @param prioritySorting whether priority orders the heads of a cohort
 * @param recomputesOverlaps whether a head whose targets are preempted for another head of the same
 *     cycle searches for others; otherwise it waits for the next cycle
 * @param admissionGates whether the annotation {@code kueue.x-k8s.io/admission-gated-by} keeps
 *     Workloads out of their queues while it is present
 * @param priorityBoost whether the annotation {@code kueue.x-k8s.io/priority-boost} changes the
 *     effective priority
 * @param finishesOrphans whether a Workload whose Job was deleted without it is finished, and so
 *     needs no quota
 */
@API(status = API.Status.INTERNAL)
public record SchedulingGates(
    boolean partialAdmission,
    boolean flavorFungibility,
    boolean prioritySorting,
    boolean recomputesOverlaps,
    boolean admissionGates,
    boolean priorityBoost,
    boolean finishesOrphans) {

  /** The defaults of the gates. */
  public static SchedulingGates defaults() {
    return new SchedulingGates(true, true, true, true, true, false, true);
  }
}
