// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.api.LabelSelector;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Evaluation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The Workloads that a check asks about; all others are let through.
 *
 * @param selector the labels that they have; absent: any
 * @param minimumRequests resource name to an amount: a Workload is concerned whose pods together
 *     ask for at least that much of any of them; empty: any size
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ConcernedWorkloads(
    Optional<LabelSelector> selector, Map<String, Quantity> minimumRequests) {
  /** Keeps a copy of the map. */
  public ConcernedWorkloads {
    minimumRequests = Map.copyOf(minimumRequests);
  }

  /** All of them. */
  static ConcernedWorkloads all() {
    return new ConcernedWorkloads(Optional.empty(), Map.of());
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
