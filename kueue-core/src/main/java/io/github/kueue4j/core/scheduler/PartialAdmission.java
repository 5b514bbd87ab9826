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

import io.github.kueue4j.core.queue.PodSetDemand;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Partial admission (KEP-420): fewer pods where the Workload allows it and all of them don't find
 * quota. Each pod set gives up in proportion to what it can give up.
 */
@API(status = API.Status.INTERNAL)
public final class PartialAdmission {
  private PartialAdmission() {}

  /** Whether a Workload would do with fewer pods. */
  public static boolean possible(List<PodSetDemand> podSets) {
    return reducible(podSets) > 0;
  }

  /**
   * Looks for the most pods that something comes of. More pods never do where fewer don't, so
   * halving the range finds it.
   *
   * @param attempt what comes of these counts; empty if nothing
   * @return what comes of the most pods, fewer than all; empty if even the fewest find nothing
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

  /** The fewest pods that would do. */
  static List<PodSetDemand> fewest(List<PodSetDemand> podSets) {
    return podSets.stream().map(podSet -> podSet.withCount(podSet.minCount())).toList();
  }

  /** {@code reduction} of {@code most} pods less, rounded so that no pod set gives up too many. */
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
