// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.cache;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.CohortSpec;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadPriorityClass;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.queue.NamespaceLimits;
import io.github.kueue4j.core.queue.ResourceRules;
import io.github.kueue4j.jobs.Trimming;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.openapi.models.V1LimitRange;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1PriorityClass;
import io.kubernetes.client.openapi.models.V1RuntimeClass;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The informers of the core, except those of Jobs. */
@API(status = API.Status.INTERNAL)
public record CoreInformers(
    Informer<Workload> workloads,
    Informer<ClusterQueue> clusterQueues,
    Informer<Cohort> cohorts,
    Informer<LocalQueue> localQueues,
    Informer<ResourceFlavor> flavors,
    Informer<AdmissionCheck> checks,
    Informer<WorkloadPriorityClass> workloadPriorityClasses,
    Informer<V1PriorityClass> podPriorityClasses,
    Informer<V1Namespace> namespaces,
    Informer<V1LimitRange> limitRanges,
    Informer<V1RuntimeClass> runtimeClasses) {
  private static final String BY_PRIORITY_CLASS = "priority-class";
  private static final String BY_OWNER = "owner";
  private static final String BY_NAMESPACE = "limit-range-namespace";

  public static CoreInformers register(Informers informers) {
    return new CoreInformers(
        informers
            .of(KueueTypes.WORKLOAD)
            .index(BY_PRIORITY_CLASS, CoreInformers::priorityClass)
            .index(BY_OWNER, CoreInformers::owner)
            .trim(Trimming::workload)
            .register(),
        informers.of(KueueTypes.CLUSTER_QUEUE).register(),
        informers.of(KueueTypes.COHORT).register(),
        informers.of(KueueTypes.LOCAL_QUEUE).register(),
        informers.of(KueueTypes.RESOURCE_FLAVOR).register(),
        informers.of(KueueTypes.ADMISSION_CHECK).register(),
        informers.of(KueueTypes.WORKLOAD_PRIORITY_CLASS).register(),
        informers.of(CoreTypes.PRIORITY_CLASS).register(),
        informers.of(CoreTypes.NAMESPACE).register(),
        informers
            .of(CoreTypes.LIMIT_RANGE)
            .index(BY_NAMESPACE, range -> List.of(ObjectKey.of(range).namespace()))
            .register(),
        informers.of(CoreTypes.RUNTIME_CLASS).register());
  }

  /**
   * The demands of Workloads under these rules, with LimitRanges and RuntimeClasses from the
   * caches.
   */
  public DemandCalculator demands(ResourceRules rules) {
    return new DemandCalculator(
        rules,
        namespace ->
            NamespaceLimits.of(
                limitRanges.byIndex(BY_NAMESPACE, namespace).stream()
                    .sorted(Comparator.comparing(range -> ObjectKey.of(range).name()))
                    .toList()),
        name ->
            runtimeClasses
                .get(ObjectKey.cluster(name))
                .map(DemandCalculator::overhead)
                .orElse(Map.of()));
  }

  /** The Workloads that an object controls. */
  public List<ObjectKey> workloadsOwnedBy(String apiVersion, String kind, ObjectKey owner) {
    return workloads.byIndex(BY_OWNER, owner(apiVersion, kind, owner)).stream()
        .map(ObjectKey::of)
        .toList();
  }

  private static List<String> owner(Workload workload) {
    String namespace = ObjectKey.of(workload).namespace();
    return Metadata.owners(workload).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(
            owner ->
                owner(
                    owner.getApiVersion(),
                    owner.getKind(),
                    new ObjectKey(namespace, owner.getName())))
        .toList();
  }

  private static String owner(String apiVersion, String kind, ObjectKey key) {
    return String.join(" ", apiVersion, kind, key.toString());
  }

  /** The parent that a Cohort names; null if it names none or doesn't exist. */
  public @Nullable String parentOf(String cohort) {
    return cohorts
        .get(ObjectKey.cluster(cohort))
        .map(Cohort::spec)
        .map(CohortSpec::parentName)
        .orElse(null);
  }

  /** The Cohorts above a ClusterQueue, its own first; each Cohort of a cycle appears once. */
  public List<String> cohortsAbove(String clusterQueue) {
    SequencedSet<String> above = new LinkedHashSet<>();
    String next =
        clusterQueues
            .get(ObjectKey.cluster(clusterQueue))
            .map(ClusterQueue::spec)
            .map(ClusterQueueSpec::cohortName)
            .orElse(null);
    while (next != null && above.add(next)) {
      next = parentOf(next);
    }
    return List.copyOf(above);
  }

  /** The Workloads whose priority is from a class of this API group. */
  public List<ObjectKey> workloadsOf(String group, String priorityClass) {
    return workloads.byIndex(BY_PRIORITY_CLASS, group + '/' + priorityClass).stream()
        .map(ObjectKey::of)
        .toList();
  }

  private static List<String> priorityClass(Workload workload) {
    PriorityClassRef source = workload.spec().priorityClassRef();
    return source == null ? List.of() : List.of(source.group() + '/' + source.name());
  }
}
