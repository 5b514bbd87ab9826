// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Evaluation;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Which Workloads a check asks about; all others are let through.
 *
 * @param selector the labels that they have; absent: any
 * @param minimumRequests resource name to an amount: a Workload is concerned whose pods together
 *     ask for at least that much of any of them; empty: any size
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConcernedWorkloads(
    Optional<Selector> selector, Map<String, Quantity> minimumRequests) {
  /** Keeps a copy of the map. */
  public ConcernedWorkloads {
    minimumRequests = Map.copyOf(minimumRequests);
  }

  /** All of them. */
  static ConcernedWorkloads all() {
    return new ConcernedWorkloads(Optional.empty(), Map.of());
  }

  /** Labels, as Kubernetes selects by them. All that is given must hold. */
  public record Selector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {
    /** Keeps copies. */
    public Selector {
      matchLabels = Map.copyOf(matchLabels);
      matchExpressions = List.copyOf(matchExpressions);
    }

    boolean matches(Map<String, String> labels) {
      return matchLabels.entrySet().stream()
              .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
          && matchExpressions.stream().allMatch(requirement -> requirement.holds(labels));
    }
  }

  /**
   * What holds of one label.
   *
   * @param operator {@code In}, {@code NotIn}, {@code Exists} or {@code DoesNotExist}
   * @param values for the first two
   */
  public record Requirement(String key, String operator, List<String> values) {
    private static final Set<String> WITH_VALUES = Set.of("in", "notin");
    private static final Set<String> WITHOUT = Set.of("exists", "doesnotexist");

    /**
     * @throws InvalidFieldException if the operator is another one, or the values don't fit it
     */
    public Requirement {
      values = List.copyOf(values);
      String word = operator.toLowerCase(Locale.ROOT);
      if (!WITH_VALUES.contains(word) && !WITHOUT.contains(word)) {
        throw new InvalidFieldException(
            "operator", operator, "write In, NotIn, Exists or DoesNotExist");
      }
      if (WITH_VALUES.contains(word) == values.isEmpty()) {
        throw new InvalidFieldException(
            "values",
            values.toString(),
            values.isEmpty() ? "write at least one value" : "leave them out with " + operator);
      }
    }

    boolean holds(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator.toLowerCase(Locale.ROOT)) {
        case "in" -> value != null && values.contains(value);
        case "notin" -> value == null || !values.contains(value);
        case "exists" -> value != null;
        default -> value == null;
      };
    }
  }

  /** Whether the check asks about this Workload. */
  boolean contain(Evaluation<?> evaluation) {
    return isSelected(evaluation) && isLargeEnough(evaluation.totalRequests());
  }

  /** By its own labels with those of the pods of one of its pod sets; its own win. */
  private boolean isSelected(Evaluation<?> evaluation) {
    if (selector.isEmpty()) {
      return true;
    }
    if (evaluation.podSets().isEmpty()) {
      return selector.get().matches(evaluation.labels());
    }
    return evaluation.podSets().stream()
        .map(podSet -> labels(evaluation, podSet))
        .anyMatch(selector.get()::matches);
  }

  private static Map<String, String> labels(Evaluation<?> evaluation, AssignedPodSet podSet) {
    Map<String, String> labels = new HashMap<>(podSet.labels());
    labels.putAll(evaluation.labels());
    return labels;
  }

  private boolean isLargeEnough(Map<String, Quantity> requests) {
    return minimumRequests.isEmpty()
        || minimumRequests.entrySet().stream()
            .anyMatch(
                least ->
                    requests.getOrDefault(least.getKey(), Quantity.ZERO).compareTo(least.getValue())
                        >= 0);
  }
}
