// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.jobs.PodPhases;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The pods of a Job that was stopped or deleted, as far as they still run, by the node that they
 * run on. Those that have no node yet count, too, under the empty name: they may still get one.
 *
 * @param counted that use quota
 * @param lost that don't use it any more: their node isn't ready, and their time is over
 */
record RunningPods(Map<String, Integer> counted, List<V1Pod> lost) {
  static final RunningPods NONE = new RunningPods(Map.of(), List.of());

  /**
   * The pods among these that run.
   *
   * @param lostNodeTimeout from the end of the time that a pod had to terminate
   * @param nodeReady asked only about pods whose time is over
   */
  static RunningPods of(
      List<V1Pod> pods, Instant now, Duration lostNodeTimeout, Predicate<String> nodeReady) {
    Map<Boolean, List<V1Pod>> running =
        pods.stream()
            .filter(pod -> !PodPhases.ended(pod))
            .collect(
                Collectors.partitioningBy(
                    pod -> overdue(pod, now, lostNodeTimeout) && !nodeReady.test(node(pod))));
    return new RunningPods(
        byNode(Objects.requireNonNull(running.get(false))),
        Objects.requireNonNull(running.get(true)));
  }

  /** The time of a deletion includes the grace period. */
  private static boolean overdue(V1Pod pod, Instant now, Duration lostNodeTimeout) {
    OffsetDateTime until =
        pod.getMetadata() == null ? null : pod.getMetadata().getDeletionTimestamp();
    return until != null && !now.isBefore(until.toInstant().plus(lostNodeTimeout));
  }

  private static String node(V1Pod pod) {
    String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    return node == null ? "" : node;
  }

  /** How many of these pods are on each node. */
  static Map<String, Integer> byNode(List<V1Pod> pods) {
    Map<String, Integer> counts = new TreeMap<>();
    pods.forEach(pod -> counts.merge(node(pod), 1, Integer::sum));
    return counts;
  }

  /** Whether none uses quota any more. */
  boolean isNone() {
    return counted.isEmpty();
  }

  /** Such as {@code 3 pods: 2 on node a, 1 on node b}. */
  static String describe(Map<String, Integer> byNode) {
    int all = byNode.values().stream().mapToInt(Integer::intValue).sum();
    return (all == 1 ? "1 pod: " : all + " pods: ")
        + byNode.entrySet().stream()
            .map(
                one ->
                    one.getValue()
                        + (one.getKey().isEmpty() ? " without a node" : " on node " + one.getKey()))
            .collect(Collectors.joining(", "));
  }
}
