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
package io.github.kueue4j.core.explain;

import io.github.kueue4j.api.AdmissionMode;
import io.github.kueue4j.api.AdmissionScope;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.FairSharing;
import io.github.kueue4j.api.FairSharingStatus;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Weights;
import io.github.kueue4j.core.scheduler.Assignment;
import io.github.kueue4j.core.usage.UsageVector;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is where past usage decides (KEP-4136), as far as it can be seen from outside: the
 * statuses say what was used, but not how much the core's configuration makes each resource count,
 * nor what was added since. So another queue counts as one that has used less only if that is so
 * for every resource.
 */
final class FairTurn {
  /** How the core's verdict begins for those that wait for the scope of a Cohort. */
  private static final String WAITS_FOR_SCOPE = "Needs more than its ClusterQueue's own quota";

  private static final int DECIMALS = 3;

  private final Look look;
  private final ClusterQueue queue;

  /** The Cohort that is the scope; null if the ClusterQueue is. */
  private final @Nullable String cohort;

  private FairTurn(Look look, ClusterQueue queue, @Nullable String cohort) {
    this.look = look;
    this.queue = queue;
    this.cohort = cohort;
  }

  /** Empty where usage decides nothing. */
  static Optional<FairTurn> of(Look look, ClusterQueue queue) {
    AdmissionScope said = queue.spec().admissionScope();
    String scope = null;
    Set<String> seen = new HashSet<>();
    String above = queue.spec().cohortName();
    while (above != null && seen.add(above)) {
      Cohort object = look.around().cohorts().get(above);
      if (object != null && object.spec().admissionScope() != null) {
        said = object.spec().admissionScope();
        scope = above;
      }
      above = object == null ? null : object.spec().parentName();
    }
    return said != null
            && said.admissionMode().equals(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
        ? Optional.of(new FairTurn(look, queue, scope))
        : Optional.empty();
  }

  /**
   * How much the LocalQueues of a ClusterQueue have used, all resources counting the same, as the
   * configuration can't be seen; 0 where usage decides nothing.
   */
  static ToDoubleFunction<ObjectKey> usage(Look look, ClusterQueue queue) {
    if (of(look, queue).isEmpty()) {
      return localQueue -> 0;
    }
    Map<ObjectKey, Double> used = new HashMap<>();
    for (LocalQueue local : look.around().localQueues()) {
      used.put(
          ObjectKey.of(local),
          UsageVector.perWeight(Usage.of(local).sum(), local.spec().fairSharing()));
    }
    return localQueue -> used.getOrDefault(localQueue, 0.0);
  }

  /** Empty if it isn't past usage that keeps the Workload waiting. */
  Optional<Explanation> explain(Line line, Assignment now) {
    return cohort == null ? behindLocalQueues(line, now) : behindScope(line, cohort);
  }

  private Optional<Explanation> behindLocalQueues(Line line, Assignment now) {
    LocalQueue own = look.around().localQueue();
    if (own == null || now instanceof Assignment.Fits) {
      return Optional.empty();
    }
    Usage used = Usage.of(own);
    Map<ObjectKey, LocalQueue> less = new LinkedHashMap<>();
    look.around().localQueues().stream()
        .filter(other -> Usage.of(other).isLessThan(used))
        .forEach(other -> less.put(ObjectKey.of(other), other));
    List<QueuedWorkload> before =
        line.waiting().filter(rival -> less.containsKey(rival.localQueueKey())).sorted().toList();
    if (before.isEmpty()) {
      return Optional.empty();
    }
    less.keySet()
        .retainAll(before.stream().map(QueuedWorkload::localQueueKey).collect(Collectors.toSet()));
    return Optional.of(
        look.finding(
                Reason.OTHERS_USED_LESS,
                "ClusterQueue "
                    + ObjectKey.of(queue).name()
                    + " serves the LocalQueue that has used least. "
                    + ObjectKey.of(own)
                    + " has used "
                    + used
                    + ", and "
                    + before.size()
                    + (before.size() == 1 ? " workload waits" : " workloads wait")
                    + " in LocalQueues that have used less: "
                    + less.values().stream()
                        .map(other -> ObjectKey.of(other) + " " + Usage.of(other))
                        .collect(Collectors.joining(", "))
                    + ".")
            .seen(evidence(own, used))
            .seen(less.values().stream().map(other -> evidence(other, Usage.of(other))).toList())
            .seen(line.quota())
            .by(
                Party.NOBODY,
                "Its turn comes as past usage fades, by half in each usageHalfLifeTime, and as the"
                    + " others use more. A larger spec.fairSharing.weight of its LocalQueue would"
                    + " move it forward."));
  }

  private Optional<Explanation> behindScope(Line line, String scope) {
    Condition said =
        look.condition(WorkloadConditions.QUOTA_RESERVED)
            .filter(Condition::isFalse)
            .filter(condition -> condition.message().startsWith(WAITS_FOR_SCOPE))
            .orElse(null);
    if (said == null) {
      return Optional.empty();
    }
    return Optional.of(
        look.finding(
                Reason.OTHERS_USED_LESS,
                "In Cohort "
                    + scope
                    + " what needs more than its ClusterQueue's own quota stands in one line, in"
                    + " which those come first that have used less. It says: "
                    + said.message())
            .seen(look.seen(WorkloadConditions.QUOTA_RESERVED))
            .seen(
                look.around().relatives().stream()
                    .filter(relative -> isBelow(relative, scope))
                    .map(
                        relative ->
                            evidence(
                                "ClusterQueue/" + ObjectKey.of(relative).name(),
                                Usage.of(
                                    relative.status().fairSharing(),
                                    relative.spec().fairSharing())))
                    .toList())
            .seen(line.quota())
            .by(
                Party.NOBODY,
                "Its turn comes when those before it have got quota; what fits into its"
                    + " ClusterQueue's own quota need not stand in that line."));
  }

  private boolean isBelow(ClusterQueue relative, String scope) {
    Set<String> seen = new HashSet<>();
    String above = relative.spec().cohortName();
    while (above != null && seen.add(above) && !above.equals(scope)) {
      Cohort object = look.around().cohorts().get(above);
      above = object == null ? null : object.spec().parentName();
    }
    return scope.equals(above);
  }

  private static Evidence evidence(LocalQueue queue, Usage usage) {
    return evidence("LocalQueue/" + ObjectKey.of(queue), usage);
  }

  private static Evidence evidence(String object, Usage usage) {
    return new Evidence(object, "status.fairSharing.admissionFairSharingStatus", "used " + usage);
  }

  /**
   * What a queue has used.
   *
   * @param byResource in the units of quantities
   * @param weight what it is divided by
   */
  private record Usage(Map<String, BigDecimal> byResource, double weight) {
    static Usage of(LocalQueue queue) {
      return of(queue.status().fairSharing(), queue.spec().fairSharing());
    }

    static Usage of(@Nullable FairSharingStatus status, @Nullable FairSharing sharing) {
      Map<String, BigDecimal> used = new TreeMap<>();
      if (status != null && status.admissionFairSharingStatus() != null) {
        status
            .admissionFairSharingStatus()
            .consumedResources()
            .forEach((resource, quantity) -> used.put(resource, quantity.amount()));
      }
      return new Usage(used, Weights.of(sharing));
    }

    boolean isLessThan(Usage other) {
      Set<String> resources = new TreeSet<>(byResource.keySet());
      resources.addAll(other.byResource.keySet());
      boolean somewhere = weight > 0 && other.weight <= 0;
      for (String resource : resources) {
        int compared = Double.compare(perWeight(resource), other.perWeight(resource));
        if (compared > 0) {
          return false;
        }
        somewhere |= compared < 0;
      }
      return somewhere;
    }

    double sum() {
      return byResource.values().stream().mapToDouble(BigDecimal::doubleValue).sum();
    }

    private double perWeight(String resource) {
      return weight <= 0
          ? Double.POSITIVE_INFINITY
          : byResource.getOrDefault(resource, BigDecimal.ZERO).doubleValue() / weight;
    }

    @Override
    public String toString() {
      String used =
          byResource.isEmpty()
              ? "nothing"
              : byResource.entrySet().stream()
                  .map(
                      entry ->
                          entry
                                  .getValue()
                                  .setScale(DECIMALS, RoundingMode.HALF_UP)
                                  .stripTrailingZeros()
                                  .toPlainString()
                              + " "
                              + entry.getKey())
                  .collect(Collectors.joining(" and "));
      return weight == 1
          ? used
          : used
              + " with weight "
              + BigDecimal.valueOf(weight).stripTrailingZeros().toPlainString();
    }
  }
}
