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
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import java.util.HashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * How many pods of each pod set can still run: its count, less those that never will again ({@code
 * status.reclaimablePods}, KEP-78). A Workload that waits asks for these, and one that holds quota
 * needs it for no more than these.
 */
@API(status = API.Status.INTERNAL)
public final class RemainingPods {
  private final Map<String, Integer> counts = new HashMap<>();
  private final Map<String, Integer> gone = new HashMap<>();

  private RemainingPods(Workload workload) {
    for (PodSet podSet : workload.spec().podSets()) {
      counts.put(podSet.name(), podSet.count());
    }
    for (ReclaimablePod pods : workload.status().reclaimablePods()) {
      gone.merge(pods.name(), Math.max(0, pods.count()), Math::max);
    }
  }

  public static RemainingPods of(Workload workload) {
    return new RemainingPods(workload);
  }

  /** The pods of a pod set that can still run, 0 or more. */
  public int in(PodSet podSet) {
    return in(podSet.name(), podSet.count());
  }

  /**
   * The pods of a pod set that can still run, 0 or more.
   *
   * @param unknown how many the pod set has if the Workload doesn't have it
   */
  int in(String podSet, int unknown) {
    int all = counts.getOrDefault(podSet, unknown);
    return Math.max(0, all - gone.getOrDefault(podSet, 0));
  }

  /** How many pods a pod set has, whether they can run or not. */
  int countOf(String podSet, int unknown) {
    return counts.getOrDefault(podSet, unknown);
  }
}
