// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The workloads of the same queue that may be preempted.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WithinClusterQueuePolicy(String value) implements OpenValue {
  /** None. */
  public static final WithinClusterQueuePolicy NEVER = new WithinClusterQueuePolicy("Never");

  /** Workloads of lower priority. */
  public static final WithinClusterQueuePolicy LOWER_PRIORITY =
      new WithinClusterQueuePolicy("LowerPriority");

  /** Workloads of lower priority, and newer ones of the same priority. */
  public static final WithinClusterQueuePolicy LOWER_OR_NEWER_EQUAL_PRIORITY =
      new WithinClusterQueuePolicy("LowerOrNewerEqualPriority");

  @Override
  public String toString() {
    return value;
  }
}
