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
 * Where a LocalQueue leads.
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

  /** A copy with another {@code clusterQueue}. */
  public LocalQueueSpec withClusterQueue(@Nullable String clusterQueue) {
    return new LocalQueueSpec(clusterQueue, stopPolicy, fairSharing);
  }

  /** A copy with another {@code stopPolicy}. */
  public LocalQueueSpec withStopPolicy(StopPolicy stopPolicy) {
    return new LocalQueueSpec(clusterQueue, stopPolicy, fairSharing);
  }

  /** A copy with another {@code fairSharing}. */
  public LocalQueueSpec withFairSharing(@Nullable FairSharing fairSharing) {
    return new LocalQueueSpec(clusterQueue, stopPolicy, fairSharing);
  }
}
