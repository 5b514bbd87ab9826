// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.BorrowWithinCohort;
import io.github.kueue4j.api.BorrowWithinCohortPolicy;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.WithinClusterQueuePolicy;

/**
 * The candidates that {@code spec.preemption} of the preemptor's ClusterQueue permits to preempt.
 */
final class Policies {
  private final ClusterQueuePreemption policy;
  private final Preemptor preemptor;

  Policies(ClusterQueuePreemption policy, Preemptor preemptor) {
    this.policy = policy;
    this.preemptor = preemptor;
  }

  /** Whether any Workload of the same ClusterQueue may be preempted. */
  boolean preemptsWithin() {
    WithinClusterQueuePolicy within = policy.withinClusterQueue();
    return within.equals(WithinClusterQueuePolicy.LOWER_PRIORITY)
        || within.equals(WithinClusterQueuePolicy.LOWER_OR_NEWER_EQUAL_PRIORITY);
  }

  /** Whether a Workload of the same ClusterQueue may be preempted. */
  boolean withinClusterQueue(Candidate candidate) {
    WithinClusterQueuePolicy within = policy.withinClusterQueue();
    if (within.equals(WithinClusterQueuePolicy.LOWER_PRIORITY)) {
      return candidate.priority() < preemptor.priority();
    }
    if (within.equals(WithinClusterQueuePolicy.LOWER_OR_NEWER_EQUAL_PRIORITY)) {
      return candidate.priority() < preemptor.priority()
          || (candidate.priority() == preemptor.priority()
              && candidate.queuedSince().isAfter(preemptor.queuedSince()));
    }
    // Never, or a policy that this version doesn't know.
    return false;
  }

  /** Whether a Workload of another ClusterQueue that borrows may be preempted. */
  boolean withinCohort(Candidate candidate) {
    ReclaimPolicy reclaim = policy.reclaimWithinCohort();
    return reclaim.equals(ReclaimPolicy.ANY)
        || (reclaim.equals(ReclaimPolicy.LOWER_PRIORITY)
            && candidate.priority() < preemptor.priority());
  }

  boolean reclaims() {
    return policy.reclaimWithinCohort().equals(ReclaimPolicy.ANY)
        || policy.reclaimWithinCohort().equals(ReclaimPolicy.LOWER_PRIORITY);
  }

  boolean mayBorrow() {
    return policy.borrowWithinCohort().policy().equals(BorrowWithinCohortPolicy.LOWER_PRIORITY);
  }

  /**
   * Whether a Workload of another ClusterQueue may be preempted even if the preemptor's borrows.
   */
  boolean whileBorrowing(Candidate candidate) {
    BorrowWithinCohort borrow = policy.borrowWithinCohort();
    Integer threshold = borrow.maxPriorityThreshold();
    return mayBorrow()
        && candidate.priority() < preemptor.priority()
        && (threshold == null || candidate.priority() <= threshold);
  }
}
