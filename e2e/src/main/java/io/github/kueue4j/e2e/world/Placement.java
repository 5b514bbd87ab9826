// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.Metadata;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The scheduler of the simulated world, as a function: the first node by name that is ready, whose
 * labels match and which has room for every requested resource that it lists; none while a gate
 * holds the pod. Taints and affinity don't count.
 */
record Placement(List<V1Node> nodes, List<V1Pod> pods) {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  /** The node for one more pod with this spec, or empty when none has room. */
  Optional<String> nodeFor(V1PodSpec spec) {
    if (spec.getSchedulingGates() != null && !spec.getSchedulingGates().isEmpty()) {
      return Optional.empty();
    }
    Map<String, BigDecimal> wanted = requests(spec);
    return nodes.stream()
        .filter(node -> !Kubelets.isLost(node))
        .filter(node -> matches(node, spec))
        .sorted(Comparator.comparing(Placement::name))
        .filter(node -> hasRoom(node, wanted))
        .map(Placement::name)
        .findFirst();
  }

  private static String name(V1Node node) {
    return Objects.requireNonNull(node.getMetadata().getName(), "a node read has a name");
  }

  private static boolean matches(V1Node node, V1PodSpec spec) {
    Map<String, String> selector = Objects.requireNonNullElse(spec.getNodeSelector(), Map.of());
    Map<String, String> labels = Metadata.labels(node);
    return labels.entrySet().containsAll(selector.entrySet());
  }

  private boolean hasRoom(V1Node node, Map<String, BigDecimal> wanted) {
    if (node.getStatus() == null || node.getStatus().getAllocatable() == null) {
      return false;
    }
    Map<String, Quantity> allocatable = node.getStatus().getAllocatable();
    Map<String, BigDecimal> used = usedOn(name(node));
    return wanted.entrySet().stream()
        .allMatch(
            request -> {
              Quantity capacity = allocatable.get(request.getKey());
              BigDecimal free =
                  (capacity == null ? BigDecimal.ZERO : capacity.getNumber())
                      .subtract(used.getOrDefault(request.getKey(), BigDecimal.ZERO));
              return request.getValue().compareTo(free) <= 0;
            });
  }

  private Map<String, BigDecimal> usedOn(String node) {
    Map<String, BigDecimal> used = new HashMap<>();
    for (V1Pod pod : pods) {
      if (pod.getSpec() != null && node.equals(pod.getSpec().getNodeName()) && !hasEnded(pod)) {
        requests(pod.getSpec())
            .forEach((name, amount) -> used.merge(name, amount, BigDecimal::add));
      }
    }
    return used;
  }

  static boolean hasEnded(V1Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getPhase() != null
        && ENDED.contains(pod.getStatus().getPhase());
  }

  static boolean isIn(V1Pod pod, String phase) {
    return pod.getStatus() != null && phase.equals(pod.getStatus().getPhase());
  }

  /** The sum of the containers' requests; a missing request is the limit. */
  static Map<String, BigDecimal> requests(V1PodSpec spec) {
    Map<String, BigDecimal> sum = new HashMap<>();
    for (V1Container container : spec.getContainers()) {
      if (container.getResources() != null) {
        Map<String, Quantity> effective = new HashMap<>();
        if (container.getResources().getLimits() != null) {
          effective.putAll(container.getResources().getLimits());
        }
        if (container.getResources().getRequests() != null) {
          effective.putAll(container.getResources().getRequests());
        }
        effective.forEach((name, amount) -> sum.merge(name, amount.getNumber(), BigDecimal::add));
      }
    }
    return sum;
  }
}
