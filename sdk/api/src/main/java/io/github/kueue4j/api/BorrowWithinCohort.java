// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The policy by which a workload may preempt others of the cohort while it borrows.
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
}
