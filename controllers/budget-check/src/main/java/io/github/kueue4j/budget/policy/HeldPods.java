// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedPodSet;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods of a Workload that hold quota: of those that will never run again the queue controller
 * has given it back (KEP-78, {@code status.reclaimablePods}).
 *
 * @param podSets with what their remaining pods ask for
 * @param text how many pods of each pod set that are, with commas; empty if all that were assigned
 */
record HeldPods(List<AssignedPodSet> podSets, String text) {

  /** As many as a quantity has. */
  private static final int DECIMALS = 9;

  static HeldPods of(Workload workload, List<AssignedPodSet> assigned) {
    Map<String, Integer> remaining = new HashMap<>();
    for (PodSet podSet : workload.spec().podSets()) {
      remaining.put(podSet.name(), podSet.count());
    }
    for (ReclaimablePod gone : workload.status().reclaimablePods()) {
      remaining.computeIfPresent(
          gone.name(), (name, count) -> Math.max(0, count - Math.max(0, gone.count())));
    }
    List<AssignedPodSet> held = new ArrayList<>();
    List<String> counts = new ArrayList<>();
    boolean all = true;
    for (AssignedPodSet podSet : assigned) {
      int count = Math.min(podSet.count(), remaining.getOrDefault(podSet.name(), podSet.count()));
      all &= count == podSet.count();
      held.add(count == podSet.count() ? podSet : scaled(podSet, count));
      counts.add(String.valueOf(count));
    }
    return new HeldPods(held, all ? "" : String.join(",", counts));
  }

  private static AssignedPodSet scaled(AssignedPodSet podSet, int count) {
    BigDecimal all = BigDecimal.valueOf(podSet.count());
    Map<String, Quantity> requests = new HashMap<>();
    podSet
        .requests()
        .forEach(
            (resource, total) -> {
              Quantity product = total.multiply(count);
              requests.put(
                  resource,
                  Quantity.of(
                      product.amount().divide(all, DECIMALS, RoundingMode.CEILING),
                      product.format()));
            });
    return new AssignedPodSet(podSet.name(), count, podSet.template(), requests, podSet.flavors());
  }
}
