// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
 * The resource request of one pod set.
 *
 * @param name the pod set
 * @param count number of pods that can still run, 0 or more
 * @param minCount the smallest number of pods that may run, 0 to {@code count} (KEP-420)
 * @param perPod resources of one pod, in {@link io.github.kueue4j.core.quota.ResourceUnits}
 * @param constraints on the nodes
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

  /** This demand restricted to these resources. */
  PodSetDemand of(Set<String> resources) {
    Map<String, Long> kept = new TreeMap<>(perPod.asMap());
    kept.keySet().retainAll(resources);
    return new PodSetDemand(name, count, minCount, Amounts.of(kept), constraints);
  }

  /** This demand with fewer pods. */
  public PodSetDemand withCount(int fewer) {
    return new PodSetDemand(name, fewer, minCount, perPod, constraints);
  }

  /**
   * The demand of a pod set.
   *
   * @param remaining how many of its pods can still run
   * @param pod its pods as the API server will create them
   */
  static PodSetDemand of(PodSet podSet, int remaining, V1PodSpec pod, ResourceRules rules) {
    Map<String, Long> counted = new TreeMap<>();
    rules
        .counted(PodRequests.of(pod))
        .forEach(
            (name, amount) ->
                // A JobSet's definition allows negative requests, whose Jobs can't be created:
                // they must not pay for those of other pod sets.
                counted.put(name, Math.max(0, ResourceUnits.of(name, amount))));
    return new PodSetDemand(
        podSet.name(),
        remaining,
        Objects.requireNonNullElse(podSet.minCount(), podSet.count()),
        Amounts.of(counted),
        NodeConstraints.of(pod));
  }
}
