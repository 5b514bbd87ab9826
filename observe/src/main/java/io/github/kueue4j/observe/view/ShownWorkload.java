// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.ResourceUnits;
import io.github.kueue4j.observe.explain.DelayedBy;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One Workload, as the view shows it.
 *
 * @param owner the Job, as {@code Kind/name}; null if it has none
 * @param clusterQueue whose quota it holds or would get; null if there is none
 * @param phase as in docs/lifecycle.md
 * @param place in its ClusterQueue, the first is 1; null while it doesn't wait there
 * @param localPlace among those of its LocalQueue
 * @param requests of all its pods, by resource
 * @param flavors that it holds quota of, by resource; empty while it holds none
 * @param reason why it is in its phase, in one word
 * @param since when it came into its phase; null if that isn't known
 * @param nextWake when it goes on by itself; null if that doesn't depend on time
 */
record ShownWorkload(
    String namespace,
    String name,
    @Nullable String owner,
    @Nullable String localQueue,
    @Nullable String clusterQueue,
    Phase phase,
    @Nullable Integer place,
    @Nullable Integer localPlace,
    int priority,
    Map<String, Double> requests,
    Map<String, String> flavors,
    String reason,
    String message,
    @Nullable Instant created,
    @Nullable Instant since,
    @Nullable Instant nextWake,
    List<DelayedBy> delays,
    List<CheckEntry> checks,
    int evictions) {

  /**
   * An admission check of a Workload.
   *
   * @param attempts how often it was asked since its last success
   */
  record CheckEntry(String name, String state, Instant since, int attempts, String message) {
    static CheckEntry of(AdmissionCheckState entry) {
      return new CheckEntry(
          entry.name(),
          String.valueOf(entry.state()),
          entry.lastTransitionTime(),
          1 + Objects.requireNonNullElse(entry.retryCount(), 0),
          entry.message());
    }
  }

  static ShownWorkload of(ViewSnapshot snapshot, Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    Phase phase = snapshot.phase(workload);
    Optional<ViewSnapshot.Place> place = snapshot.place(key);
    Optional<Condition> cause = cause(phase, workload);
    List<DelayedBy> delays = phase == Phase.BACKOFF ? DelayedBy.of(workload) : List.of();
    String clusterQueue = snapshot.clusterQueue(workload);
    return new ShownWorkload(
        key.namespace(),
        key.name(),
        owner(workload),
        workload.spec().queueName(),
        clusterQueue.isEmpty() ? null : clusterQueue,
        phase,
        place.map(ViewSnapshot.Place::inClusterQueue).orElse(null),
        place.map(ViewSnapshot.Place::inLocalQueue).orElse(null),
        WorkloadPriority.of(workload, true).effective(),
        requests(workload),
        Phase.holdsQuota(workload) ? flavors(workload) : Map.of(),
        cause.map(Condition::reason).orElse(""),
        cause.map(Condition::message).orElse(""),
        Optional.ofNullable(workload.metadata().getCreationTimestamp())
            .map(java.time.OffsetDateTime::toInstant)
            .orElse(null),
        cause.map(Condition::lastTransitionTime).orElse(null),
        delays.stream().map(DelayedBy::until).max(Instant::compareTo).orElse(null),
        delays,
        workload.status().admissionChecks().stream().map(CheckEntry::of).toList(),
        evictions(workload));
  }

  private static @Nullable String owner(Workload workload) {
    return Optional.ofNullable(workload.metadata().getOwnerReferences()).stream()
        .flatMap(List::stream)
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst()
        .map((V1OwnerReference owner) -> owner.getKind() + "/" + owner.getName())
        .orElse(null);
  }

  /** The condition that says why it is in this phase. */
  private static Optional<Condition> cause(Phase phase, Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    return switch (phase) {
      case FINISHED -> conditions.find(WorkloadConditions.FINISHED);
      case DEACTIVATED, EVICTING -> conditions.findTrue(WorkloadConditions.EVICTED);
      case ADMITTED -> conditions.find(WorkloadConditions.ADMITTED);
      case RESERVED -> conditions.find(WorkloadConditions.QUOTA_RESERVED);
      case BACKOFF, HELD ->
          conditions
              .findFalse(WorkloadConditions.REQUEUED)
              .or(() -> conditions.findTrue(WorkloadConditions.EVICTED));
      case QUEUED -> conditions.find(WorkloadConditions.QUOTA_RESERVED);
    };
  }

  /** As its pods ask, before the configuration of the core transforms it. */
  private static Map<String, Double> requests(Workload workload) {
    Amounts<String> sum = Amounts.none();
    for (PodSetDemand podSet : DemandCalculator.plain().of(workload)) {
      sum = sum.plus(podSet.perPod().times(podSet.count()));
    }
    Map<String, Double> requests = new TreeMap<>();
    sum.asMap()
        .forEach(
            (resource, units) -> requests.put(resource, ResourceUnits.decimal(resource, units)));
    return requests;
  }

  private static Map<String, String> flavors(Workload workload) {
    Map<String, String> flavors = new TreeMap<>();
    Stream.ofNullable(workload.status().admission())
        .flatMap(admission -> admission.podSetAssignments().stream())
        .forEach(
            podSet ->
                podSet
                    .flavors()
                    .forEach(
                        (resource, flavor) ->
                            flavors.merge(
                                resource,
                                flavor,
                                (one, other) -> one.equals(other) ? one : one + ", " + other)));
    return flavors;
  }

  private static int evictions(Workload workload) {
    var stats = workload.status().schedulingStats();
    return stats == null
        ? 0
        : stats.evictions().stream().mapToInt(eviction -> eviction.count()).sum();
  }
}
