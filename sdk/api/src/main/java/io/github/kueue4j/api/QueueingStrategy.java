// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * How a ClusterQueue treats a workload at its head that does not fit.
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record QueueingStrategy(String value) implements OpenValue {
  /** It blocks the workloads behind it. */
  public static final QueueingStrategy STRICT_FIFO = new QueueingStrategy("StrictFIFO");

  /** The workloads behind it may be admitted before it. */
  public static final QueueingStrategy BEST_EFFORT_FIFO = new QueueingStrategy("BestEffortFIFO");

  @Override
  public String toString() {
    return value;
  }
}
