// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodRequests;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.PodWorkloads;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeCondition;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of a cluster, as its Nodes and Pods tell at one moment.
 *
 * @param nodes all nodes
 * @param pods all pods
 */
record Inventory(List<V1Node> nodes, List<V1Pod> pods) {

  private static final Set<String> OVER = Set.of("Succeeded", "Failed");

  Inventory {
    nodes = List.copyOf(nodes);
    pods = List.copyOf(pods);
  }

  /** How many GPUs the usable nodes with these labels offer. */
  long allocatable(String resource, Map<String, String> nodeLabels) {
    long sum = 0;
    for (V1Node node : nodes) {
      if (usable(node) && hasLabels(node, nodeLabels)) {
        sum += amount(node, resource);
      }
    }
    return sum;
  }

  /**
   * How many GPUs pods on the usable nodes with these labels take, beyond what is counted already.
   *
   * @param reserved by workload, how many GPUs are counted for it whether its pods take them or not
   */
  long used(
      String resource,
      Map<String, String> nodeLabels,
      Map<ObjectKey, Long> reserved,
      PodWorkloads belonging) {
    Set<String> names = new HashSet<>();
    for (V1Node node : nodes) {
      String name = node.getMetadata() == null ? null : node.getMetadata().getName();
      if (name != null && usable(node) && hasLabels(node, nodeLabels)) {
        names.add(name);
      }
    }
    long sum = 0;
    Map<ObjectKey, Long> ofReserved = new HashMap<>();
    for (V1Pod pod : pods) {
      if (takesRoomOn(names, pod)) {
        long taken = PodRequests.of(pod.getSpec()).getOrDefault(resource, Quantity.ZERO).value();
        Optional<ObjectKey> workload =
            taken == 0
                ? Optional.empty()
                : belonging.workloadOf(pod).map(Workload::key).filter(reserved::containsKey);
        if (workload.isPresent()) {
          ofReserved.merge(workload.get(), taken, Long::sum);
        } else {
          sum += taken;
        }
      }
    }
    for (Map.Entry<ObjectKey, Long> taken : ofReserved.entrySet()) {
      sum += Math.max(0, taken.getValue() - reserved.getOrDefault(taken.getKey(), 0L));
    }
    return sum;
  }

  private static boolean takesRoomOn(Set<String> nodes, V1Pod pod) {
    @Nullable String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    @Nullable String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return node != null && nodes.contains(node) && !(phase != null && OVER.contains(phase));
  }

  /** A node without a Ready condition counts as ready: simulated nodes often have none. */
  private static boolean usable(V1Node node) {
    if (node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
      return false;
    }
    List<V1NodeCondition> conditions =
        node.getStatus() == null || node.getStatus().getConditions() == null
            ? List.of()
            : node.getStatus().getConditions();
    return conditions.stream()
        .filter(condition -> "Ready".equals(condition.getType()))
        .allMatch(condition -> "True".equals(condition.getStatus()));
  }

  private static boolean hasLabels(V1Node node, Map<String, String> wanted) {
    Map<String, String> labels =
        node.getMetadata() == null || node.getMetadata().getLabels() == null
            ? Map.of()
            : node.getMetadata().getLabels();
    return labels.entrySet().containsAll(wanted.entrySet());
  }

  private static long amount(V1Node node, String resource) {
    var allocatable = node.getStatus() == null ? null : node.getStatus().getAllocatable();
    var amount = allocatable == null ? null : allocatable.get(resource);
    return amount == null ? 0 : Quantity.ofClient(amount).value();
  }
}
