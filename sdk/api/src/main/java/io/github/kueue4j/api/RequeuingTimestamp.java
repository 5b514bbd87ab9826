// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The time that orders workloads requeued after a pods-ready timeout (KEP-1282).
 *
 * @param value the word on the wire; unknown words survive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequeuingTimestamp(String value) implements OpenValue {
  /** The time of the eviction: the workload queues behind those that wait. */
  public static final RequeuingTimestamp EVICTION = new RequeuingTimestamp("Eviction");

  /** The time of creation: the workload keeps its position. */
  public static final RequeuingTimestamp CREATION = new RequeuingTimestamp("Creation");

  @Override
  public String toString() {
    return value;
  }
}
