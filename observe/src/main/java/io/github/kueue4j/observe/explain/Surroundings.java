// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the objects that decide when a Workload runs, as far as the user may. */
final class Surroundings {
  private final PermittedReads reads;
  private final String leaseName;
  private final Optional<Configuration> configuration;

  Surroundings(PermittedReads reads, String leaseName, Optional<Configuration> configuration) {
    this.reads = reads;
    this.leaseName = leaseName;
    this.configuration = configuration;
  }

  /** The objects that decide about a Workload, or about a Job that has none. */
  ExplainInput of(@Nullable Workload workload, @Nullable ObservedJob job, List<V1Pod> pods) {
    ObjectKey subject =
        workload == null ? Objects.requireNonNull(job).key() : ObjectKey.of(workload);
    String namespace = subject.namespace();
    Optional<LocalQueue> localQueue =
        Optional.ofNullable(workload)
            .map(found -> found.spec().queueName())
            .filter(queue -> !queue.isEmpty())
            .flatMap(queue -> reads.get(KueueTypes.LOCAL_QUEUE, new ObjectKey(namespace, queue)));
    Optional<String> queueName = ExplainInput.clusterQueueName(workload, localQueue.orElse(null));
    Optional<ClusterQueue> clusterQueue =
        queueName.flatMap(name -> reads.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name)));
    // Others wait in a ClusterQueue even if it may not be read itself.
    Optional<String> shared =
        queueName.filter(
            name -> clusterQueue.isPresent() || reads.refused(KueueTypes.CLUSTER_QUEUE));
    List<Workload> others =
        shared.isEmpty() ? List.of() : reads.listAllOrOf(namespace, KueueTypes.WORKLOAD);
    List<LocalQueue> leading = shared.map(name -> leadingTo(name, namespace)).orElse(List.of());
    boolean inCohort = clusterQueue.filter(queue -> queue.spec().cohortName() != null).isPresent();
    V1Lease lease = InstalledConfiguration.lease(reads, leaseName);
    return new ExplainInput(
        workload,
        job,
        pods,
        localQueue.orElse(null),
        clusterQueue.orElse(null),
        byName(KueueTypes.RESOURCE_FLAVOR),
        byName(KueueTypes.ADMISSION_CHECK),
        labels(namespace),
        byName(KueueTypes.WORKLOAD_PRIORITY_CLASS).keySet(),
        shared.map(name -> rivals(name, subject, others, leading)).orElse(List.of()),
        leading,
        inCohort ? byName(KueueTypes.COHORT) : Map.of(),
        inCohort ? reads.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()) : List.of(),
        inCohort
            ? others.stream().filter(other -> holdsElsewhere(clusterQueue, other)).toList()
            : List.of(),
        answered(others),
        configuration.or(() -> InstalledConfiguration.beside(lease, reads)).orElse(null),
        lease,
        reads.refused());
  }

  private static boolean holdsElsewhere(Optional<ClusterQueue> queue, Workload workload) {
    Admission admission = workload.status().admission();
    return Phase.holdsQuota(workload)
        && admission != null
        && queue
            .filter(here -> !ObjectKey.of(here).name().equals(admission.clusterQueue()))
            .isPresent();
  }

  private List<LocalQueue> leadingTo(String clusterQueue, String namespace) {
    return reads.listAllOrOf(namespace, KueueTypes.LOCAL_QUEUE).stream()
        .filter(local -> clusterQueue.equals(local.spec().clusterQueue()))
        .toList();
  }

  private static List<Workload> rivals(
      String clusterQueue, ObjectKey subject, List<Workload> others, List<LocalQueue> leading) {
    var leadingThere = leading.stream().map(ObjectKey::of).collect(Collectors.toUnmodifiableSet());
    return others.stream()
        .filter(workload -> !ObjectKey.of(workload).equals(subject))
        .filter(
            workload ->
                Phase.holdsQuota(workload)
                    ? workload.status().admission() != null
                        && workload.status().admission().clusterQueue().equals(clusterQueue)
                    : leadingThere.contains(
                        new ObjectKey(
                            ObjectKey.of(workload).namespace(),
                            Objects.requireNonNullElse(workload.spec().queueName(), ""))))
        .toList();
  }

  private static Map<String, Instant> answered(List<Workload> workloads) {
    return workloads.stream()
        .flatMap(workload -> workload.status().admissionChecks().stream())
        .filter(entry -> !entry.is(CheckState.PENDING))
        .collect(
            Collectors.toUnmodifiableMap(
                AdmissionCheckState::name,
                AdmissionCheckState::lastTransitionTime,
                (one, other) -> one.isAfter(other) ? one : other));
  }

  private <T extends ApiObject> Map<String, T> byName(ResourceType<T> type) {
    return reads.list(type, ListOptions.all()).stream()
        .collect(
            Collectors.toUnmodifiableMap(
                object -> ObjectKey.of(object).name(), Function.identity()));
  }

  private Map<String, String> labels(String namespace) {
    return reads
        .get(CoreTypes.NAMESPACE, ObjectKey.cluster(namespace))
        .map(V1Namespace::getMetadata)
        .map(V1ObjectMeta::getLabels)
        .orElse(Map.of());
  }
}
