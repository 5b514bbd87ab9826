// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Phase;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The input of {@link Explain}: a Workload, its Job, and all objects that decide when it runs, as
 * read at one time.
 *
 * @param workload the Workload; null while its Job has none
 * @param job its Job; null if it has none of a supported kind, or the Job is gone
 * @param pods the Job's pods
 * @param localQueue the LocalQueue that it names, if that exists
 * @param clusterQueue the ClusterQueue whose quota it holds, or to which its LocalQueue points;
 *     null if there is none, or it may not be read
 * @param flavors the ResourceFlavors that exist, by name
 * @param checks the AdmissionChecks that exist, by name
 * @param namespaceLabels the labels of its namespace
 * @param priorityClasses the WorkloadPriorityClasses that exist
 * @param sameQueueWorkloads other Workloads that hold quota of the same ClusterQueue or wait for it
 * @param localQueues LocalQueues that point to the same ClusterQueue, its own included
 * @param cohorts the Cohorts that exist, by name, if the ClusterQueue belongs to one
 * @param clusterQueues all ClusterQueues, if this one belongs to a Cohort
 * @param cohortHolders Workloads that hold quota of those ClusterQueues
 * @param answered when each AdmissionCheck last answered any Workload that may be read, by its
 *     name: the latest change of an entry to another state than Pending
 * @param configuration of the core; null if unknown
 * @param coreLease the lease of the core's leader election; null if there is none or it may not be
 *     read
 * @param unreadable the types of which not all objects may be read: one that is not here may exist
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ExplainInput(
    @Nullable Workload workload,
    @Nullable ObservedJob job,
    List<V1Pod> pods,
    @Nullable LocalQueue localQueue,
    @Nullable ClusterQueue clusterQueue,
    Map<String, ResourceFlavor> flavors,
    Map<String, AdmissionCheck> checks,
    Map<String, String> namespaceLabels,
    Set<String> priorityClasses,
    List<Workload> sameQueueWorkloads,
    List<LocalQueue> localQueues,
    Map<String, Cohort> cohorts,
    List<ClusterQueue> clusterQueues,
    List<Workload> cohortHolders,
    Map<String, Instant> answered,
    @Nullable Configuration configuration,
    @Nullable V1Lease coreLease,
    Set<ResourceType<?>> unreadable) {
  public ExplainInput {
    if (workload == null && job == null) {
      throw new IllegalArgumentException("there is nothing to explain without a Workload or a Job");
    }
    pods = List.copyOf(pods);
    flavors = Map.copyOf(flavors);
    checks = Map.copyOf(checks);
    namespaceLabels = Map.copyOf(namespaceLabels);
    priorityClasses = Set.copyOf(priorityClasses);
    sameQueueWorkloads = List.copyOf(sameQueueWorkloads);
    localQueues = List.copyOf(localQueues);
    cohorts = Map.copyOf(cohorts);
    clusterQueues = List.copyOf(clusterQueues);
    cohortHolders = List.copyOf(cohortHolders);
    answered = Map.copyOf(answered);
    unreadable = Set.copyOf(unreadable);
  }

  /** Whether all objects of this type may be read, so that one that is not here doesn't exist. */
  public boolean mayRead(ResourceType<?> type) {
    return !unreadable.contains(type);
  }

  /**
   * The name of the ClusterQueue whose quota the Workload holds, or to which its LocalQueue points;
   * known even if the ClusterQueue may not be read. Empty if there is none.
   */
  public Optional<String> clusterQueueName() {
    return clusterQueueName(workload, localQueue);
  }

  static Optional<String> clusterQueueName(
      @Nullable Workload workload, @Nullable LocalQueue localQueue) {
    return workload != null && Phase.holdsQuota(workload) && workload.status().admission() != null
        ? Optional.of(workload.status().admission().clusterQueue())
        : Optional.ofNullable(localQueue).map(queue -> queue.spec().clusterQueue());
  }
}
