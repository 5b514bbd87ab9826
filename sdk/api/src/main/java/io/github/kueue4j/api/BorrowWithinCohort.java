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
import org.jspecify.annotations.Nullable;

/**
 * Whether a workload may preempt others of the cohort while it borrows.
 *
 * @param policy absent is Never
 * @param maxPriorityThreshold only workloads of at most this priority are preempted; absent is no
 *     limit
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BorrowWithinCohort(
    BorrowWithinCohortPolicy policy, @Nullable Integer maxPriorityThreshold) {
  public BorrowWithinCohort {
    policy = policy == null ? BorrowWithinCohortPolicy.NEVER : policy;
  }

  /** Not while borrowing. */
  public static BorrowWithinCohort never() {
    return new BorrowWithinCohort(BorrowWithinCohortPolicy.NEVER, null);
  }

  /** A copy with another {@code policy}. */
  public BorrowWithinCohort withPolicy(BorrowWithinCohortPolicy policy) {
    return new BorrowWithinCohort(policy, maxPriorityThreshold);
  }

  /** A copy with another {@code maxPriorityThreshold}. */
  public BorrowWithinCohort withMaxPriorityThreshold(@Nullable Integer maxPriorityThreshold) {
    return new BorrowWithinCohort(policy, maxPriorityThreshold);
  }
}
