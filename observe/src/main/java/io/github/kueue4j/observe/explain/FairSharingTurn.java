// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionScope;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.FairSharing;
import io.github.kueue4j.api.FairSharingStatus;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.Weights;
import io.github.kueue4j.core.scheduler.Assignment;
import io.github.kueue4j.core.status.SwitchedOff;
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
 * The order of queues by past usage (KEP-4136), as far as the objects show it: the statuses contain
 * the usage, but neither the resource weights of the core's configuration nor the usage since. So
 * another queue counts as having used less only if that is true of every resource.
 */
final class FairSharingTurn {
  /**
   * The start of the scheduler's message for Workloads that wait for the admission scope of a
   * Cohort.
   */
  private static final String WAITS_FOR_SCOPE = "Needs more than its ClusterQueue's own quota";

  private static final int DECIMALS = 3;

  private final WorkloadView workloadView;
  private final ClusterQueue queue;

  /** The Cohort that is the admission scope; null if the ClusterQueue is. */
  private final @Nullable String cohort;

  private FairSharingTurn(WorkloadView workloadView, ClusterQueue queue, @Nullable String cohort) {
    this.workloadView = workloadView;
    this.queue = queue;
    this.cohort = cohort;
  }

  /** Empty if past usage has no influence. */
  static Optional<FairSharingTurn> of(WorkloadView workloadView, ClusterQueue queue) {
    Configuration configuration = workloadView.around().configuration();
    if (SwitchedOff.scopeOf(queue).isPresent()
        || (configuration != null && configuration.usagePolicy().isEmpty())) {
      return Optional.empty();
    }
    AdmissionScope said = queue.spec().admissionScope();
    String scope = null;
    Set<String> seen = new HashSet<>();
    String above = queue.spec().cohortName();
    while (above != null && seen.add(above)) {
      Cohort object = workloadView.around().cohorts().get(above);
      if (object != null && object.spec().admissionScope() != null) {
        said = object.spec().admissionScope();
        scope = above;
      }
      above = object == null ? null : object.spec().parentName();
    }
    return SwitchedOff.isByUsage(said)
        ? Optional.of(new FairSharingTurn(workloadView, queue, scope))
        : Optional.empty();
  }

  /**
   * The past usage of a ClusterQueue's LocalQueues, with equal weights of all resources because the
   * configuration may be unknown; 0 if past usage has no influence.
   */
  static ToDoubleFunction<ObjectKey> usage(WorkloadView workloadView, ClusterQueue queue) {
    if (of(workloadView, queue).isEmpty()) {
      return localQueue -> 0;
    }
    Map<ObjectKey, Double> used = new HashMap<>();
    for (LocalQueue local : workloadView.around().localQueues()) {
      used.put(
          ObjectKey.of(local),
          UsageVector.perWeight(Usage.of(local).sum(), local.spec().fairSharing()));
    }
    return localQueue -> used.getOrDefault(localQueue, 0.0);
  }

  /** The explanation; empty if past usage isn't the reason why the Workload waits. */
  Optional<Explanation> explain(QueuePosition queuePosition, Assignment now) {
    return cohort == null
        ? behindLocalQueues(queuePosition, now)
        : behindScope(queuePosition, cohort);
  }

  private Optional<Explanation> behindLocalQueues(QueuePosition queuePosition, Assignment now) {
    LocalQueue own = workloadView.around().localQueue();
    if (own == null || now instanceof Assignment.Fits) {
      return Optional.empty();
    }
    Usage used = Usage.of(own);
    Map<ObjectKey, LocalQueue> less = new LinkedHashMap<>();
    workloadView.around().localQueues().stream()
        .filter(other -> Usage.of(other).isLessThan(used))
        .forEach(other -> less.put(ObjectKey.of(other), other));
    List<QueuedWorkload> before =
        queuePosition
            .waiting()
            .filter(rival -> less.containsKey(rival.localQueueKey()))
            .sorted()
            .toList();
    if (before.isEmpty()) {
      return Optional.empty();
    }
    less.keySet()
        .retainAll(before.stream().map(QueuedWorkload::localQueueKey).collect(Collectors.toSet()));
    return Optional.of(
        workloadView
            .finding(
                Reason.OTHERS_USED_LESS,
                "ClusterQueue "
                    + ObjectKey.of(queue).name()
                    + " serves the LocalQueue with the least past usage first. "
                    + ObjectKey.of(own)
                    + " has used "
                    + used
                    + ", and "
                    + before.size()
                    + (before.size() == 1 ? " workload waits" : " workloads wait")
                    + " in LocalQueues with less usage: "
                    + less.values().stream()
                        .map(other -> ObjectKey.of(other) + " " + Usage.of(other))
                        .collect(Collectors.joining(", "))
                    + ".")
            .seen(evidence(own, used))
            .seen(less.values().stream().map(other -> evidence(other, Usage.of(other))).toList())
            .seen(queuePosition.quota())
            .by(
                Actor.NONE,
                "It comes first once its LocalQueue's past usage, which halves in each"
                    + " usageHalfLifeTime, is below that of the others. A larger"
                    + " spec.fairSharing.weight of its LocalQueue would move it forward."));
  }

  private Optional<Explanation> behindScope(QueuePosition queuePosition, String scope) {
    Condition said =
        workloadView
            .conditions()
            .notReserved()
            .filter(condition -> condition.message().startsWith(WAITS_FOR_SCOPE))
            .orElse(null);
    if (said == null) {
      return Optional.empty();
    }
    return Optional.of(
        workloadView
            .finding(
                Reason.OTHERS_USED_LESS,
                "In Cohort "
                    + scope
                    + " workloads that need more than their ClusterQueue's own quota are"
                    + " ordered by past usage, the least first. The scheduler says: "
                    + said.message())
            .seen(workloadView.seen(WorkloadConditions.QUOTA_RESERVED))
            .seen(
                workloadView.around().clusterQueues().stream()
                    .filter(relative -> isBelow(relative, scope))
                    .map(
                        relative ->
                            evidence(
                                "ClusterQueue/" + ObjectKey.of(relative).name(),
                                Usage.of(
                                    relative.status().fairSharing(),
                                    relative.spec().fairSharing())))
                    .toList())
            .seen(queuePosition.quota())
            .by(
                Actor.NONE,
                "It gets quota after those before it. Workloads that fit in their"
                    + " ClusterQueue's own quota don't wait for that order."));
  }

  private boolean isBelow(ClusterQueue relative, String scope) {
    Set<String> seen = new HashSet<>();
    String above = relative.spec().cohortName();
    while (above != null && seen.add(above) && !above.equals(scope)) {
      Cohort object = workloadView.around().cohorts().get(above);
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
   * The past usage of a queue.
   *
   * @param byResource amounts in cores, bytes and so on
   * @param weight of the queue, by which usage is divided
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
        used.values().removeIf(amount -> amount.signum() == 0);
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
