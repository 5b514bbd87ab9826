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
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.ClusterQueueSpec;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Whether and how admitted Workloads are waited for until their pods are ready (KEP-1282).
 *
 * @param policy for ClusterQueues that say nothing themselves; null: for those it is off
 * @param allowed false switches it off for all, whatever they say
 * @param blockAdmission whether nobody gets quota while somebody's pods aren't ready
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WaitForPodsReady(
    @Nullable PodsReadyPolicy policy, boolean allowed, boolean blockAdmission) {

  /** For no ClusterQueue but those that ask for it. */
  public static WaitForPodsReady ifAsked() {
    return new WaitForPodsReady(null, true, false);
  }

  /** For no ClusterQueue at all. */
  public static WaitForPodsReady never() {
    return new WaitForPodsReady(null, false, false);
  }

  /** What holds in a ClusterQueue; empty if its Workloads aren't waited for. */
  public Optional<PodsReadyPolicy> in(@Nullable ClusterQueueSpec queue) {
    var own = queue == null ? null : queue.waitForPodsReady();
    if (!allowed || (policy == null && own == null)) {
      return Optional.empty();
    }
    return Optional.of((policy == null ? PodsReadyPolicy.defaults() : policy).with(own));
  }
}
