// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.gpu.source.CapacitySource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Policies that differ from another one in a field. */
final class Policies {
  private Policies() {}

  static GpuPolicy with(GpuPolicy policy, GpuPolicy.NeverFits neverFits) {
    return copy(policy, neverFits, policy.autoscaledFlavors(), policy.lostNodes());
  }

  static GpuPolicy autoscaled(GpuPolicy policy, Set<String> flavors) {
    return copy(policy, policy.neverFits(), flavors, policy.lostNodes());
  }

  static GpuPolicy evicting(GpuPolicy policy) {
    return copy(policy, policy.neverFits(), policy.autoscaledFlavors(), GpuPolicy.LostNodes.EVICT);
  }

  static GpuPolicy asking(GpuPolicy policy, CapacitySource source) {
    return new GpuPolicy(
        policy.resources(),
        policy.kindLabels(),
        policy.neverFits(),
        policy.autoscaledFlavors(),
        policy.backoff(),
        policy.reservationTimeout(),
        policy.wakeInBackoff(),
        policy.lostNodes(),
        policy.lostNodeGracePeriod(),
        policy.assumeExtendedResourceToleration(),
        Optional.of(source),
        policy.domain());
  }

  static GpuPolicy kindLabels(GpuPolicy policy, List<String> labels) {
    return new GpuPolicy(
        policy.resources(),
        labels,
        policy.neverFits(),
        policy.autoscaledFlavors(),
        policy.backoff(),
        policy.reservationTimeout(),
        policy.wakeInBackoff(),
        policy.lostNodes(),
        policy.lostNodeGracePeriod(),
        policy.assumeExtendedResourceToleration(),
        policy.capacitySource(),
        policy.domain());
  }

  /** Of a cluster whose API server adds no tolerations of extended resources. */
  static GpuPolicy withoutExtendedResourceToleration(GpuPolicy policy) {
    return new GpuPolicy(
        policy.resources(),
        policy.kindLabels(),
        policy.neverFits(),
        policy.autoscaledFlavors(),
        policy.backoff(),
        policy.reservationTimeout(),
        policy.wakeInBackoff(),
        policy.lostNodes(),
        policy.lostNodeGracePeriod(),
        false,
        policy.capacitySource(),
        policy.domain());
  }

  private static GpuPolicy copy(
      GpuPolicy policy,
      GpuPolicy.NeverFits neverFits,
      Set<String> autoscaled,
      GpuPolicy.LostNodes lostNodes) {
    return new GpuPolicy(
        policy.resources(),
        policy.kindLabels(),
        neverFits,
        autoscaled,
        policy.backoff(),
        Duration.ofMinutes(10),
        policy.wakeInBackoff(),
        lostNodes,
        Duration.ofMinutes(1),
        policy.assumeExtendedResourceToleration(),
        policy.capacitySource(),
        policy.domain());
  }

  /** Of pods that start in one domain. */
  static GpuPolicy inOneDomain(GpuPolicy policy, DomainRule rule) {
    return new GpuPolicy(
        policy.resources(),
        policy.kindLabels(),
        policy.neverFits(),
        policy.autoscaledFlavors(),
        policy.backoff(),
        policy.reservationTimeout(),
        policy.wakeInBackoff(),
        policy.lostNodes(),
        policy.lostNodeGracePeriod(),
        policy.assumeExtendedResourceToleration(),
        policy.capacitySource(),
        Optional.of(rule));
  }
}
