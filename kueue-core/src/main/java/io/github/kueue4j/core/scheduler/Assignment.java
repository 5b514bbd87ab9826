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
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.util.List;
import org.apiguardian.api.API;

/** The outcome of assigning flavors to the pod sets of a Workload. */
@API(status = API.Status.INTERNAL)
public sealed interface Assignment {
  /**
   * Everything fits.
   *
   * @param podSets the flavors of each pod set, in their order
   * @param usage the quota taken in all
   */
  record Fits(List<PodSetAssignment> podSets, Amounts<FlavorResource> usage) implements Assignment {
    public Fits {
      podSets = List.copyOf(podSets);
    }
  }

  /**
   * At least one pod set gets no flavor.
   *
   * @param reason the gravest reason among the pod sets
   * @param message names every flavor that was considered
   */
  record NoFit(NoFitReason reason, String message) implements Assignment {}
}
