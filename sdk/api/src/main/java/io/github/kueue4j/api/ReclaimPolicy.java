// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The workloads of other queues that may be preempted to reclaim nominal quota.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReclaimPolicy(String value) implements OpenValue {
  /** None. */
  public static final ReclaimPolicy NEVER = new ReclaimPolicy("Never");

  /** Workloads of lower priority. */
  public static final ReclaimPolicy LOWER_PRIORITY = new ReclaimPolicy("LowerPriority");

  /** Whatever their priority. */
  public static final ReclaimPolicy ANY = new ReclaimPolicy("Any");

  @Override
  public String toString() {
    return value;
  }
}
