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
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * What one pod set asks for.
 *
 * @param name the pod set
 * @param count number of pods that can still run, 0 or more
 * @param minCount the fewest pods that would do, at most {@code count} (KEP-420)
 * @param perPod resources of one pod, in {@link io.github.kueue4j.core.quota.ResourceUnits}
 * @param constraints which nodes will do
 */
@API(status = API.Status.INTERNAL)
public record PodSetDemand(
    String name, int count, int minCount, Amounts<String> perPod, NodeConstraints constraints) {
  public PodSetDemand {
    minCount = Math.clamp(minCount, 0, Math.max(0, count));
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(perPod, "perPod");
    Objects.requireNonNull(constraints, "constraints");
  }

  /** A pod set that needs all of its pods. */
  public PodSetDemand(String name, int count, Amounts<String> perPod, NodeConstraints constraints) {
    this(name, count, count, perPod, constraints);
  }

  /** The same without other resources than these. */
  PodSetDemand of(Set<String> resources) {
    Map<String, Long> kept = new TreeMap<>(perPod.asMap());
    kept.keySet().retainAll(resources);
    return new PodSetDemand(name, count, minCount, Amounts.of(kept), constraints);
  }

  /** The same with fewer pods. */
  public PodSetDemand withCount(int fewer) {
    return new PodSetDemand(name, fewer, minCount, perPod, constraints);
  }

  /**
   * The demand of a pod set.
   *
   * @param remaining how many of its pods can still run
   * @param pod its pods as they are going to be created
   */
  static PodSetDemand of(PodSet podSet, int remaining, V1PodSpec pod, ResourceRules rules) {
    Map<String, Long> counted = new TreeMap<>();
    rules
        .counted(PodRequests.of(pod))
        .forEach((name, amount) -> counted.put(name, ResourceUnits.of(name, amount)));
    return new PodSetDemand(
        podSet.name(),
        remaining,
        Objects.requireNonNullElse(podSet.minCount(), podSet.count()),
        Amounts.of(counted),
        NodeConstraints.of(pod));
  }
}
