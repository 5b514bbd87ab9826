// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The workloads that those of a ClusterQueue may preempt.
 *
 * @param reclaimWithinCohort workloads of other queues of the cohort that use more than their
 *     nominal quota; absent is Never
 * @param borrowWithinCohort the same while the preempting workload borrows; absent is Never
 * @param withinClusterQueue workloads of this queue; absent is Never
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ClusterQueuePreemption(
    ReclaimPolicy reclaimWithinCohort,
    BorrowWithinCohort borrowWithinCohort,
    WithinClusterQueuePolicy withinClusterQueue) {
  public ClusterQueuePreemption {
    reclaimWithinCohort = reclaimWithinCohort == null ? ReclaimPolicy.NEVER : reclaimWithinCohort;
    borrowWithinCohort =
        borrowWithinCohort == null ? BorrowWithinCohort.never() : borrowWithinCohort;
    withinClusterQueue =
        withinClusterQueue == null ? WithinClusterQueuePolicy.NEVER : withinClusterQueue;
  }

  /** No preemption at all. */
  public static ClusterQueuePreemption never() {
    return new ClusterQueuePreemption(
        ReclaimPolicy.NEVER, BorrowWithinCohort.never(), WithinClusterQueuePolicy.NEVER);
  }
}
