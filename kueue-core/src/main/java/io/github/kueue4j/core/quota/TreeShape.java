// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import static io.github.kueue4j.core.quota.Amounts.add;
import static io.github.kueue4j.core.quota.Amounts.subtract;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a quota tree that doesn't depend on usage, in arrays by node number and key number:
 * the parents, and the amounts that follow from the quotas alone. Immutable.
 *
 * <p>A Cohort that is its own ancestor is detached from its parent, so that every path upwards
 * ends; such Cohorts and their descendants are {@link #belowCycle}.
 */
final class TreeShape {
  static final int NONE = -1;
  static final long UNLIMITED = Long.MAX_VALUE;

  private final Map<String, CohortQuotas> cohorts;
  private final Map<String, QueueQuotas> queues;
  private final Map<String, Integer> cohortNumbers = new HashMap<>();
  private final Map<String, Integer> queueNumbers = new HashMap<>();
  private final Map<FlavorResource, Integer> keyNumbers = new HashMap<>();
  private final Map<NodeId, TreeShape> rooted = new ConcurrentHashMap<>();

  /** Parents come before their children. */
  final List<NodeId> nodes = new ArrayList<>();

  final List<FlavorResource> keys;

  /** The resources of the keys, sorted. */
  final List<String> resources;

  /** By key: the number of its resource. */
  final int[] resourceOf;

  final SortedSet<String> cycles;

  /** Number of the parent, {@link #NONE} for roots. */
  final int[] parent;

  final int[][] children;

  /** By node: its children in the order of their names, Cohorts first. */
  final List<List<NodeId>> sortedChildren;

  /** Distance to the deepest leaf below. */
  final int[] height;

  final double[] weight;

  /** Whether the path of parents ends in a cycle. */
  final boolean[] belowCycle;

  /** By node and key: all quota of the subtree. */
  final long[][] subtree;

  /** By node and key: the part of it that isn't lent. */
  final long[][] local;

  /** By node and key: how much may be borrowed, {@link #UNLIMITED} without a limit. */
  final long[][] borrowingLimit;

  /** By node and key: the amount that could be reserved if there were no usage. */
  final long[][] potential;

  /** By node and resource: the sum of {@link #potential} over all flavors. */
  final long[][] lendable;

  private TreeShape(
      Map<String, CohortQuotas> cohorts,
      Map<String, QueueQuotas> queues,
      SequencedSet<FlavorResource> keys) {
    this.cohorts = cohorts;
    this.queues = queues;
    this.keys = List.copyOf(keys);
    this.keys.forEach(key -> keyNumbers.put(key, keyNumbers.size()));
    this.resources = this.keys.stream().map(FlavorResource::resource).distinct().sorted().toList();
    this.resourceOf =
        this.keys.stream().mapToInt(key -> resources.indexOf(key.resource())).toArray();
    this.cycles = cyclesOf(cohorts);
    Map<String, Set<String>> childCohorts = new TreeMap<>();
    for (CohortQuotas cohort : cohorts.values()) {
      childCohorts.computeIfAbsent(cohort.name(), name -> new TreeSet<>());
      if (cohort.parent() != null && !cycles.contains(cohort.name())) {
        childCohorts.computeIfAbsent(cohort.parent(), name -> new TreeSet<>()).add(cohort.name());
      }
    }
    int count = cohorts.size() + queues.size();
    this.parent = new int[count];
    this.children = new int[count][];
    this.height = new int[count];
    this.weight = new double[count];
    this.belowCycle = new boolean[count];
    placeCohorts(childCohorts);
    for (QueueQuotas queue : queues.values()) {
      int number = nodes.size();
      nodes.add(NodeId.queue(queue.name()));
      queueNumbers.put(queue.name(), number);
      parent[number] =
          queue.cohort() == null ? NONE : cohortNumbers.getOrDefault(queue.cohort(), NONE);
      belowCycle[number] = parent[number] != NONE && belowCycle[parent[number]];
      weight[number] = queue.weight();
    }
    linkUpwards();
    this.sortedChildren =
        Arrays.stream(children)
            .map(below -> Arrays.stream(below).mapToObj(nodes::get).sorted().toList())
            .toList();
    this.subtree = new long[count][this.keys.size()];
    this.local = new long[count][this.keys.size()];
    this.borrowingLimit = new long[count][this.keys.size()];
    this.potential = new long[count][this.keys.size()];
    this.lendable = new long[count][resources.size()];
    sumQuotas();
  }

  static TreeShape of(
      Collection<CohortQuotas> cohorts,
      Collection<QueueQuotas> queues,
      Collection<FlavorResource> keys) {
    Map<String, CohortQuotas> cohortsByName = new TreeMap<>();
    Map<String, QueueQuotas> queuesByName = new TreeMap<>();
    SequencedSet<FlavorResource> allKeys = new LinkedHashSet<>(keys);
    for (CohortQuotas cohort : cohorts) {
      cohortsByName.put(cohort.name(), cohort);
      allKeys.addAll(cohort.quotas().keySet());
    }
    for (QueueQuotas queue : queues) {
      queuesByName.put(queue.name(), queue);
      allKeys.addAll(queue.quotas().keySet());
    }
    // A Cohort that is referenced as a parent gets a node, with or without an object.
    for (QueueQuotas queue : queuesByName.values()) {
      if (queue.cohort() != null) {
        cohortsByName.computeIfAbsent(queue.cohort(), CohortQuotas::implicit);
      }
    }
    for (CohortQuotas cohort : List.copyOf(cohortsByName.values())) {
      if (cohort.parent() != null) {
        cohortsByName.computeIfAbsent(cohort.parent(), CohortQuotas::implicit);
      }
    }
    return new TreeShape(cohortsByName, queuesByName, allKeys);
  }

  /**
   * This shape with one more queue, without quota, and with more keys; existing ones keep their
   * numbers.
   */
  TreeShape with(String queue, Set<FlavorResource> more) {
    Map<String, QueueQuotas> all = new LinkedHashMap<>(queues);
    all.computeIfAbsent(queue, QueueQuotas::unknown);
    SequencedSet<FlavorResource> allKeys = new LinkedHashSet<>(keys);
    allKeys.addAll(more);
    return of(cohorts.values(), all.values(), allKeys);
  }

  /** This shape with a node detached from its parent; computed once per node. */
  TreeShape rootedAt(NodeId node) {
    return rooted.computeIfAbsent(node, this::withRoot);
  }

  private TreeShape withRoot(NodeId node) {
    Map<String, CohortQuotas> otherCohorts = new LinkedHashMap<>(cohorts);
    Map<String, QueueQuotas> otherQueues = new LinkedHashMap<>(queues);
    if (node.isCohort()) {
      otherCohorts.computeIfPresent(
          node.name(),
          (name, cohort) -> new CohortQuotas(name, null, cohort.quotas(), cohort.weight()));
    } else {
      otherQueues.computeIfPresent(
          node.name(),
          (name, queue) -> new QueueQuotas(name, null, queue.quotas(), queue.weight()));
    }
    return of(otherCohorts.values(), otherQueues.values(), keys);
  }

  /** Whether the queue and all of the keys have numbers. */
  boolean knows(String queue, Set<FlavorResource> asked) {
    return queueNumbers.containsKey(queue) && keyNumbers.keySet().containsAll(asked);
  }

  int numberOfQueue(String name) {
    return queueNumbers.getOrDefault(name, NONE);
  }

  int numberOf(NodeId node) {
    return (node.isCohort() ? cohortNumbers : queueNumbers).getOrDefault(node.name(), NONE);
  }

  int numberOf(FlavorResource key) {
    return keyNumbers.getOrDefault(key, NONE);
  }

  Collection<QueueQuotas> queues() {
    return queues.values();
  }

  private void placeCohorts(Map<String, Set<String>> childCohorts) {
    Deque<CohortQuotas> next = new ArrayDeque<>();
    for (CohortQuotas cohort : cohorts.values()) {
      if (cohort.parent() == null || cycles.contains(cohort.name())) {
        next.add(cohort);
      }
    }
    while (!next.isEmpty()) {
      CohortQuotas cohort = next.remove();
      int number = nodes.size();
      boolean cyclic = cycles.contains(cohort.name());
      int above =
          cyclic || cohort.parent() == null
              ? NONE
              : cohortNumbers.getOrDefault(cohort.parent(), NONE);
      nodes.add(NodeId.cohort(cohort.name()));
      cohortNumbers.put(cohort.name(), number);
      parent[number] = above;
      belowCycle[number] = cyclic || (above != NONE && belowCycle[above]);
      weight[number] = cohort.weight();
      for (String child : childCohorts.getOrDefault(cohort.name(), Set.of())) {
        CohortQuotas below = cohorts.get(child);
        if (below != null) {
          next.add(below);
        }
      }
    }
  }

  private void linkUpwards() {
    int[] counts = new int[parent.length];
    for (int above : parent) {
      if (above != NONE) {
        counts[above]++;
      }
    }
    for (int node = 0; node < parent.length; node++) {
      children[node] = new int[counts[node]];
    }
    for (int node = parent.length - 1; node >= 0; node--) {
      int above = parent[node];
      if (above != NONE) {
        children[above][--counts[above]] = node;
        height[above] = Math.max(height[above], height[node] + 1);
      }
    }
  }

  /** Sums up the quotas. Parents have smaller numbers than their children, so leaves come last. */
  private void sumQuotas() {
    for (int node = parent.length - 1; node >= 0; node--) {
      Map<FlavorResource, Quota> quotas = quotasOf(nodes.get(node));
      for (int key = 0; key < keys.size(); key++) {
        Quota quota = quotas.getOrDefault(keys.get(key), Quota.ZERO);
        long all = Math.max(0, quota.nominal());
        for (int child : children[node]) {
          all = add(all, subtract(subtree[child][key], local[child][key]));
        }
        subtree[node][key] = all;
        local[node][key] =
            quota.lendingLimit() == null
                ? 0
                : Math.max(0, subtract(all, Math.max(0, quota.lendingLimit())));
        borrowingLimit[node][key] =
            quota.borrowingLimit() == null ? UNLIMITED : Math.max(0, quota.borrowingLimit());
      }
    }
    for (int node = 0; node < parent.length; node++) {
      for (int key = 0; key < keys.size(); key++) {
        int above = parent[node];
        potential[node][key] =
            above == NONE
                ? subtree[node][key]
                : Math.min(
                    add(local[node][key], potential[above][key]),
                    add(subtree[node][key], borrowingLimit[node][key]));
        int resource = resourceOf[key];
        lendable[node][resource] = add(lendable[node][resource], potential[node][key]);
      }
    }
  }

  private Map<FlavorResource, Quota> quotasOf(NodeId node) {
    if (node.isCohort()) {
      CohortQuotas cohort = cohorts.get(node.name());
      return cohort == null ? Map.of() : cohort.quotas();
    }
    QueueQuotas queue = queues.get(node.name());
    return queue == null ? Map.of() : queue.quotas();
  }

  /** The Cohorts that are their own ancestors. */
  private static SortedSet<String> cyclesOf(Map<String, CohortQuotas> cohorts) {
    SortedSet<String> cyclic = new TreeSet<>();
    Set<String> done = new LinkedHashSet<>();
    for (String start : cohorts.keySet()) {
      List<String> path = new ArrayList<>();
      Set<String> onPath = new LinkedHashSet<>();
      @Nullable String current = start;
      while (current != null && !done.contains(current) && onPath.add(current)) {
        path.add(current);
        CohortQuotas cohort = cohorts.get(current);
        current = cohort == null ? null : cohort.parent();
      }
      if (current != null && onPath.contains(current)) {
        cyclic.addAll(path.subList(path.indexOf(current), path.size()));
      }
      done.addAll(onPath);
    }
    return cyclic;
  }
}
