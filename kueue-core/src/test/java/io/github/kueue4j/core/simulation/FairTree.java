// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The Cohorts and ClusterQueues of a simulation with one resource and no limits, and what each has
 * in excess of its quota by plain sums: nothing here is computed the way the scheduler does.
 */
final class FairTree {
  private final Simulation simulation;
  private final Map<String, Node> nodes = new LinkedHashMap<>();

  /**
   * A Cohort or a ClusterQueue.
   *
   * @param parent null for the root
   * @param nominal CPUs of a ClusterQueue; a Cohort has none of its own
   */
  record Node(String name, @Nullable String parent, double weight, int nominal, boolean isQueue) {}

  FairTree(Simulation simulation) {
    this.simulation = simulation;
  }

  void cohort(String name, @Nullable String parent, double weight) {
    nodes.put(name, new Node(name, parent, weight, 0, false));
    simulation.cohort(
        name,
        (parent == null ? "" : "parentName: " + parent + ", ")
            + "fairSharing: {weight: \"%s\"}".formatted(weight));
  }

  /** A ClusterQueue; {@code more} as in {@link Simulation#queue}. */
  void queue(String name, String cohort, double weight, int nominal, String more) {
    nodes.put(name, new Node(name, cohort, weight, nominal, true));
    simulation.queue(
        name, cohort, nominal, "", "fairSharing: {weight: \"%s\"}, %s".formatted(weight, more));
  }

  List<String> queues() {
    return nodes.values().stream().filter(Node::isQueue).map(Node::name).toList();
  }

  Node node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  /** From a ClusterQueue up to the root. */
  List<Node> way(String queue) {
    List<Node> way = new ArrayList<>();
    for (String next = queue; next != null; next = way.getLast().parent()) {
      way.add(node(next));
    }
    return way;
  }

  /** The others below the same parent. */
  List<Node> siblings(Node node) {
    return nodes.values().stream()
        .filter(other -> Objects.equals(other.parent(), node.parent()) && !other.equals(node))
        .toList();
  }

  /**
   * CPUs that are used below each node beyond the quota of all below it; negative if some is left.
   */
  Map<String, Integer> excess(ToIntFunction<String> used) {
    Map<String, Integer> excess = new HashMap<>();
    for (String queue : queues()) {
      int own = used.applyAsInt(queue) - node(queue).nominal();
      way(queue).forEach(node -> excess.merge(node.name(), own, Integer::sum));
    }
    return excess;
  }

  /**
   * CPUs in excess by weight: what shares compare, but for a factor that siblings have in common.
   */
  double share(Node node, Map<String, Integer> excess) {
    int own = excess.getOrDefault(node.name(), 0);
    return own <= 0 ? 0 : own / node.weight();
  }
}
