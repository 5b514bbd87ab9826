// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Evaluation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The flavors that Workloads had when they held quota last. While one waits out a delay it has
 * none, and its price may be that of a flavor. Kept in memory for {@value #MOST} Workloads: those
 * that were evaluated first are forgotten.
 */
final class LastFlavors {
  static final int MOST = 10_000;

  // By the uid of the Workload and the name of the pod set; guarded by itself.
  private final Map<String, Map<String, Map<String, AssignedFlavor>>> byWorkload =
      new LinkedHashMap<>();

  /** The pod sets of a Workload that holds quota; remembers their flavors. */
  List<AssignedPodSet> noted(Evaluation<?> evaluation) {
    Map<String, Map<String, AssignedFlavor>> flavors = new HashMap<>();
    evaluation.podSets().forEach(podSet -> flavors.put(podSet.name(), podSet.flavors()));
    String uid = uid(evaluation);
    synchronized (byWorkload) {
      byWorkload.remove(uid);
      byWorkload.put(uid, flavors);
      if (byWorkload.size() > MOST) {
        byWorkload.remove(byWorkload.keySet().iterator().next());
      }
    }
    return evaluation.podSets();
  }

  /** The pod sets of one that waits, with the flavors that they had; without, if not known. */
  List<AssignedPodSet> recalled(Evaluation<?> evaluation) {
    @Nullable Map<String, Map<String, AssignedFlavor>> flavors;
    synchronized (byWorkload) {
      flavors = byWorkload.get(uid(evaluation));
    }
    if (flavors == null) {
      return evaluation.podSets();
    }
    return evaluation.podSets().stream()
        .map(
            podSet ->
                new AssignedPodSet(
                    podSet.name(),
                    podSet.count(),
                    podSet.template(),
                    podSet.requests(),
                    flavors.getOrDefault(podSet.name(), podSet.flavors())))
        .toList();
  }

  private static String uid(Evaluation<?> evaluation) {
    return Objects.requireNonNullElse(evaluation.workload().metadata().getUid(), "");
  }
}
