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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** What the pods of a Job say about themselves. */
final class Pods {
  private static final int MOST_PODS = 5;

  private Pods() {}

  static boolean ready(V1Pod pod) {
    return conditions(pod).stream()
        .anyMatch(
            condition ->
                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
  }

  /** The first pods that {@code which} picks, each with what holds it up. */
  static List<Evidence> seen(Surroundings around, Predicate<V1Pod> which) {
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
    if (pod.getMetadata() != null && pod.getMetadata().getDeletionTimestamp() != null) {
      words.add("deleted at " + pod.getMetadata().getDeletionTimestamp());
    }
    conditions(pod).stream()
        .filter(condition -> "PodScheduled".equals(condition.getType()))
        .filter(condition -> "False".equals(condition.getStatus()))
        .map(condition -> condition.getReason() + ": " + condition.getMessage())
        .forEach(words::add);
    for (V1ContainerStatus container :
        Objects.requireNonNullElse(status.getContainerStatuses(), List.<V1ContainerStatus>of())) {
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
