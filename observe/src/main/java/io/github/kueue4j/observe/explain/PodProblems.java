// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The statuses of a Job's pods as evidence. */
final class PodProblems {
  private static final int MOST_PODS = 5;

  private PodProblems() {}

  static boolean ready(V1Pod pod) {
    return conditions(pod).stream()
        .anyMatch(
            condition ->
                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
  }

  /** When its last container ended; empty while that isn't known. */
  static Optional<Instant> endedAt(V1Pod pod) {
    return containers(pod)
        .map(V1ContainerStatus::getState)
        .filter(Objects::nonNull)
        .map(V1ContainerState::getTerminated)
        .filter(ended -> ended != null && ended.getFinishedAt() != null)
        .map(ended -> ended.getFinishedAt().toInstant())
        .max(Comparator.naturalOrder());
  }

  private static Stream<V1ContainerStatus> containers(V1Pod pod) {
    return Optional.ofNullable(pod.getStatus()).map(V1PodStatus::getContainerStatuses).stream()
        .flatMap(List::stream);
  }

  /**
   * Whether the scheduler has found no node for it, and not because the pod itself asks for nodes
   * that there aren't.
   */
  static boolean unplaced(V1Pod pod) {
    return conditions(pod).stream()
        .filter(condition -> "PodScheduled".equals(condition.getType()))
        .filter(condition -> "False".equals(condition.getStatus()))
        .anyMatch(
            condition -> !String.valueOf(condition.getMessage()).contains("affinity/selector"));
  }

  /** The first pods that match {@code which}, each with the reason why it isn't ready. */
  static List<Evidence> seen(ExplainInput around, Predicate<V1Pod> which) {
    return around.pods().stream()
        .filter(which)
        .limit(MOST_PODS)
        .map(pod -> Evidence.of("Pod", ObjectKey.of(pod), "status", words(pod)))
        .toList();
  }

  private static String words(V1Pod pod) {
    List<String> words = new ArrayList<>();
    V1PodStatus status = Objects.requireNonNullElseGet(pod.getStatus(), V1PodStatus::new);
    words.add(Objects.requireNonNullElse(status.getPhase(), "without a phase"));
    if (pod.getSpec() != null && pod.getSpec().getNodeName() != null) {
      words.add("on node " + pod.getSpec().getNodeName());
    }
    if (pod.getMetadata() != null && pod.getMetadata().getDeletionTimestamp() != null) {
      words.add("deleted at " + pod.getMetadata().getDeletionTimestamp());
    }
    conditions(pod).stream()
        .filter(condition -> "PodScheduled".equals(condition.getType()))
        .filter(condition -> "False".equals(condition.getStatus()))
        .map(condition -> condition.getReason() + ": " + condition.getMessage())
        .forEach(words::add);
    for (V1ContainerStatus container : containers(pod).toList()) {
      V1ContainerState state = container.getState();
      if (state != null && state.getWaiting() != null) {
        words.add(
            "container "
                + container.getName()
                + " waits: "
                + state.getWaiting().getReason()
                + (state.getWaiting().getMessage() == null
                    ? ""
                    : " " + state.getWaiting().getMessage()));
      }
    }
    return String.join(", ", words);
  }

  private static List<V1PodCondition> conditions(V1Pod pod) {
    return Optional.ofNullable(pod.getStatus()).map(V1PodStatus::getConditions).orElse(List.of());
  }
}
