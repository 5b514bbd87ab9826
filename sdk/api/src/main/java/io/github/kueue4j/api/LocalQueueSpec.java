// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The ClusterQueue of a LocalQueue, and whether the LocalQueue is stopped.
 *
 * @param clusterQueue the ClusterQueue, immutable once set
 * @param stopPolicy absent is None
 * @param fairSharing weight among the LocalQueues of the ClusterQueue (KEP-4136)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LocalQueueSpec(
    @Nullable String clusterQueue, StopPolicy stopPolicy, @Nullable FairSharing fairSharing) {
  public LocalQueueSpec {
    stopPolicy = stopPolicy == null ? StopPolicy.NONE : stopPolicy;
  }

  /** The spec of an object that says nothing: every field absent or at its default. */
  public static LocalQueueSpec empty() {
    return new LocalQueueSpec(null, StopPolicy.NONE, null);
  }
}
