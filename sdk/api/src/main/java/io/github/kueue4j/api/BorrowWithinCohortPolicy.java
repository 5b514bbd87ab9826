// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The workloads that may be preempted by one that borrows.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BorrowWithinCohortPolicy(String value) implements OpenValue {
  /** None. */
  public static final BorrowWithinCohortPolicy NEVER = new BorrowWithinCohortPolicy("Never");

  /** Workloads of lower priority, up to the threshold. */
  public static final BorrowWithinCohortPolicy LOWER_PRIORITY =
      new BorrowWithinCohortPolicy("LowerPriority");

  @Override
  public String toString() {
    return value;
  }
}
