// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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

/** The rule by which pods can run on the nodes of a flavor. */
final class FlavorMatch {
  private static final Set<String> BLOCKING_EFFECTS = Set.of("NoSchedule", "NoExecute");

  private FlavorMatch() {}

  /** The reason why pods can't run on the flavor's nodes; empty if they can. */
  static Optional<String> mismatch(NodeConstraints pods, ResourceFlavor flavor) {
    String name = Objects.requireNonNullElse(flavor.metadata().getName(), "");
    for (V1Taint taint : flavor.spec().nodeTaints()) {
      if (BLOCKING_EFFECTS.contains(taint.getEffect())
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

  /** Ignores labels that the flavor doesn't mention, because its nodes may have them. */
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

  /** A taint in kubectl's notation: {@code key=value:effect}. */
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
