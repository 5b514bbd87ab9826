// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Matching of label selectors: an absent selector matches nothing, an empty one everything. */
@API(status = API.Status.INTERNAL)
public final class LabelSelectors {
  private LabelSelectors() {}

  public static boolean matches(@Nullable V1LabelSelector selector, Map<String, String> labels) {
    if (selector == null) {
      return false;
    }
    Map<String, String> wanted =
        Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of());
    List<V1LabelSelectorRequirement> requirements =
        Objects.requireNonNullElse(
            selector.getMatchExpressions(), List.<V1LabelSelectorRequirement>of());
    return labels.entrySet().containsAll(wanted.entrySet())
        && requirements.stream()
            .allMatch(
                requirement ->
                    matches(
                        requirement.getOperator(),
                        labels.get(requirement.getKey()),
                        Objects.requireNonNullElse(requirement.getValues(), List.<String>of())));
  }

  /** Whether a selector matches whatever the labels are. */
  public static boolean matchesEverything(@Nullable V1LabelSelector selector) {
    return selector != null
        && (selector.getMatchLabels() == null || selector.getMatchLabels().isEmpty())
        && (selector.getMatchExpressions() == null || selector.getMatchExpressions().isEmpty());
  }

  /**
   * One requirement of a label selector or of a node selector term.
   *
   * @param value the label's value; null when the label is absent
   * @return false for an unknown operator
   */
  public static boolean matches(
      @Nullable String operator, @Nullable String value, List<String> values) {
    return switch (Objects.requireNonNullElse(operator, "")) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> compare(value, values) > 0;
      case "Lt" -> compare(value, values) < 0;
      default -> false;
    };
  }

  /** Compares two integers; 0 if either isn't one, so that neither Gt nor Lt holds. */
  private static int compare(@Nullable String value, List<String> values) {
    if (value == null || values.size() != 1) {
      return 0;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
    } catch (NumberFormatException notANumber) {
      return 0;
    }
  }
}
