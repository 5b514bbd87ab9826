// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.core.queue.PodSetDemand;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Partial admission (KEP-420): reduces the number of pods if the Workload allows it and there is no
 * quota for all of them. Each pod set is reduced in proportion to the number of pods that it can
 * spare.
 */
@API(status = API.Status.INTERNAL)
public final class PartialAdmission {
  private PartialAdmission() {}

  /** Whether a Workload may run with fewer pods. */
  public static boolean possible(List<PodSetDemand> podSets) {
    return reducible(podSets) > 0;
  }

  /**
   * Finds the largest number of pods for which an attempt succeeds, by binary search: if some
   * number fails, every larger one fails.
   *
   * @param attempt the result for these counts; empty if it fails
   * @return the result for the largest number of pods, less than all; empty if even the fewest fail
   */
  public static <R> Optional<R> most(
      List<PodSetDemand> podSets, Function<List<PodSetDemand>, Optional<R>> attempt) {
    long most = reducible(podSets);
    long low = 1;
    long high = most;
    @Nullable R best = null;
    while (low <= high) {
      long reduction = low + (high - low) / 2;
      Optional<R> result = attempt.apply(reduced(podSets, reduction, most));
      if (result.isPresent()) {
        best = result.get();
        high = reduction - 1;
      } else {
        low = reduction + 1;
      }
    }
    return Optional.ofNullable(best);
  }

  /** The pod sets with their minimum counts. */
  static List<PodSetDemand> fewest(List<PodSetDemand> podSets) {
    return podSets.stream().map(podSet -> podSet.withCount(podSet.minCount())).toList();
  }

  /**
   * The pod sets with {@code reduction} of {@code most} spare pods less, rounded so that no pod set
   * falls below its minimum.
   */
  private static List<PodSetDemand> reduced(List<PodSetDemand> podSets, long reduction, long most) {
    List<PodSetDemand> reduced = new ArrayList<>();
    for (PodSetDemand podSet : podSets) {
      BigInteger share =
          BigInteger.valueOf(reducible(podSet))
              .multiply(BigInteger.valueOf(reduction))
              .divide(BigInteger.valueOf(most));
      reduced.add(podSet.withCount(podSet.count() - share.intValueExact()));
    }
    return reduced;
  }

  private static long reducible(List<PodSetDemand> podSets) {
    return podSets.stream().mapToLong(PartialAdmission::reducible).sum();
  }

  private static int reducible(PodSetDemand podSet) {
    return Math.max(0, podSet.count() - podSet.minCount());
  }
}
