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

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * kueue4j extension: what one ClusterQueue overrides of the configuration's waitForPodsReady
 * (KEP-1282).
 *
 * <p>Each absent field leaves the configuration's value in force; without waitForPodsReady in the
 * configuration the block has no effect.
 *
 * @param timeout from admission until all pods are ready
 * @param recoveryTimeout from a pod's failure until all pods are ready again; 0 s disables it
 * @param requeuingStrategy what happens after a timeout
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ClusterQueuePodsReady(
    @Nullable Duration timeout,
    @Nullable Duration recoveryTimeout,
    @Nullable PodsReadyRequeuingStrategy requeuingStrategy) {
  /** A copy with another {@code timeout}. */
  public ClusterQueuePodsReady withTimeout(@Nullable Duration timeout) {
    return new ClusterQueuePodsReady(timeout, recoveryTimeout, requeuingStrategy);
  }

  /** A copy with another {@code recoveryTimeout}. */
  public ClusterQueuePodsReady withRecoveryTimeout(@Nullable Duration recoveryTimeout) {
    return new ClusterQueuePodsReady(timeout, recoveryTimeout, requeuingStrategy);
  }

  /** A copy with another {@code requeuingStrategy}. */
  public ClusterQueuePodsReady withRequeuingStrategy(
      @Nullable PodsReadyRequeuingStrategy requeuingStrategy) {
    return new ClusterQueuePodsReady(timeout, recoveryTimeout, requeuingStrategy);
  }
}
