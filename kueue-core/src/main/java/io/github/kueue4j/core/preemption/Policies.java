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
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.api.BorrowWithinCohort;
import io.github.kueue4j.api.BorrowWithinCohortPolicy;
import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ReclaimPolicy;
import io.github.kueue4j.api.WithinClusterQueuePolicy;

/** What {@code spec.preemption} of the preemptor's ClusterQueue lets it do to whom. */
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
    // Never, and what a newer server may have: nobody is evicted on a guess.
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

  /** Whether a Workload of another ClusterQueue may be preempted even for one that borrows then. */
  boolean whileBorrowing(Candidate candidate) {
    BorrowWithinCohort borrow = policy.borrowWithinCohort();
    Integer threshold = borrow.maxPriorityThreshold();
    return mayBorrow()
        && candidate.priority() < preemptor.priority()
        && (threshold == null || candidate.priority() <= threshold);
  }
}
