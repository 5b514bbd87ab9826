// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.quota;

import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import java.util.HashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The number of pods of each pod set that can still run: its count, minus those that will never run
 * again ({@code status.reclaimablePods}, KEP-78). Only these pods need quota, before and after the
 * reservation.
 */
@API(status = API.Status.INTERNAL)
public final class RemainingPods {
  private final Map<String, Integer> counts = new HashMap<>();
  private final Map<String, Integer> gone = new HashMap<>();

  private RemainingPods(Workload workload) {
    for (PodSet podSet : workload.spec().podSets()) {
      counts.put(podSet.name(), podSet.count());
    }
    for (ReclaimablePod pods : workload.status().reclaimablePods()) {
      gone.merge(pods.name(), Math.max(0, pods.count()), Math::max);
    }
  }

  public static RemainingPods of(Workload workload) {
    return new RemainingPods(workload);
  }

  /** The pods of a pod set that can still run, 0 or more. */
  public int in(PodSet podSet) {
    return in(podSet.name(), podSet.count());
  }

  /**
   * The pods of a pod set that can still run, 0 or more.
   *
   * @param unknown the count of a pod set that the Workload doesn't contain
   */
  int in(String podSet, int unknown) {
    int all = counts.getOrDefault(podSet, unknown);
    return Math.max(0, all - gone.getOrDefault(podSet, 0));
  }

  /** The number of pods of a pod set, whether or not they can still run. */
  int countOf(String podSet, int unknown) {
    return counts.getOrDefault(podSet, unknown);
  }
}
