/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * Whom the workloads of a ClusterQueue may preempt.
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

  /** A copy with another {@code reclaimWithinCohort}. */
  public ClusterQueuePreemption withReclaimWithinCohort(ReclaimPolicy reclaimWithinCohort) {
    return new ClusterQueuePreemption(reclaimWithinCohort, borrowWithinCohort, withinClusterQueue);
  }

  /** A copy with another {@code borrowWithinCohort}. */
  public ClusterQueuePreemption withBorrowWithinCohort(BorrowWithinCohort borrowWithinCohort) {
    return new ClusterQueuePreemption(reclaimWithinCohort, borrowWithinCohort, withinClusterQueue);
  }

  /** A copy with another {@code withinClusterQueue}. */
  public ClusterQueuePreemption withWithinClusterQueue(
      WithinClusterQueuePolicy withinClusterQueue) {
    return new ClusterQueuePreemption(reclaimWithinCohort, borrowWithinCohort, withinClusterQueue);
  }
}
