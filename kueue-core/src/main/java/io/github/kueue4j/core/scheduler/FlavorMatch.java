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
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.queue.LabelSelectors;
import io.github.kueue4j.core.queue.NodeConstraints;
import io.kubernetes.client.openapi.models.V1NodeSelectorRequirement;
import io.kubernetes.client.openapi.models.V1NodeSelectorTerm;
import io.kubernetes.client.openapi.models.V1Taint;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether pods can run on the nodes that a flavor stands for. */
final class FlavorMatch {
  private static final Set<String> KEEPS_PODS_AWAY = Set.of("NoSchedule", "NoExecute");

  private FlavorMatch() {}

  /** Says why pods can't use the flavor; empty if they can. */
  static Optional<String> obstacle(NodeConstraints pods, ResourceFlavor flavor) {
    String name = Objects.requireNonNullElse(flavor.metadata().getName(), "");
    for (V1Taint taint : flavor.spec().nodeTaints()) {
      if (KEEPS_PODS_AWAY.contains(taint.getEffect())
          && !tolerated(taint, pods.tolerations())
          && !tolerated(taint, flavor.spec().tolerations())) {
        return Optional.of("untolerated taint " + describe(taint) + " in flavor " + name);
      }
    }
    boolean suits =
        selectorMatches(pods.nodeSelector(), flavor.spec().nodeLabels())
            && affinityMatches(pods.requiredTerms(), flavor.spec().nodeLabels());
    return suits
        ? Optional.empty()
        : Optional.of("flavor " + name + " doesn't match node affinity");
  }

  private static boolean tolerated(V1Taint taint, List<V1Toleration> tolerations) {
    return tolerations.stream()
        .anyMatch(
            toleration ->
                (isEmpty(toleration.getEffect())
                        || toleration.getEffect().equals(taint.getEffect()))
                    && (isEmpty(toleration.getKey()) || toleration.getKey().equals(taint.getKey()))
                    && valueTolerated(taint, toleration));
  }

  private static boolean valueTolerated(V1Taint taint, V1Toleration toleration) {
    return switch (Objects.requireNonNullElse(toleration.getOperator(), "Equal")) {
      case "Exists" -> true;
      case "", "Equal" -> orEmpty(toleration.getValue()).equals(orEmpty(taint.getValue()));
      default -> false;
    };
  }

  /** Labels that the flavor doesn't mention say nothing about it: its nodes may have them. */
  private static boolean selectorMatches(Map<String, String> selector, Map<String, String> labels) {
    return selector.entrySet().stream()
        .allMatch(
            wanted ->
                !labels.containsKey(wanted.getKey())
                    || wanted.getValue().equals(labels.get(wanted.getKey())));
  }

  private static boolean affinityMatches(
      List<V1NodeSelectorTerm> terms, Map<String, String> labels) {
    return terms.isEmpty()
        || terms.stream()
            .anyMatch(
                term ->
                    Objects.requireNonNullElse(
                            term.getMatchExpressions(), List.<V1NodeSelectorRequirement>of())
                        .stream()
                        .filter(requirement -> labels.containsKey(requirement.getKey()))
                        .allMatch(
                            requirement ->
                                LabelSelectors.matches(
                                    requirement.getOperator(),
                                    labels.get(requirement.getKey()),
                                    Objects.requireNonNullElse(
                                        requirement.getValues(), List.<String>of()))));
  }

  /** As kubectl prints taints: {@code key=value:effect}. */
  private static String describe(V1Taint taint) {
    String value = isEmpty(taint.getValue()) ? "" : "=" + taint.getValue();
    return taint.getKey() + value + ":" + taint.getEffect();
  }

  private static boolean isEmpty(@Nullable String text) {
    return text == null || text.isEmpty();
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
