// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The policy by which a queue is stopped.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StopPolicy(String value) implements OpenValue {
  /** The queue runs. */
  public static final StopPolicy NONE = new StopPolicy("None");

  /** No workload is admitted; reservations that are not admitted yet are withdrawn. */
  public static final StopPolicy HOLD = new StopPolicy("Hold");

  /** As Hold, and admitted workloads are evicted. */
  public static final StopPolicy HOLD_AND_DRAIN = new StopPolicy("HoldAndDrain");

  @Override
  public String toString() {
    return value;
  }
}
