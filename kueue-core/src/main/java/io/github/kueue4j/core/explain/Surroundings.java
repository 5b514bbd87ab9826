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

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A Workload, its Job, and everything that has a say in when it runs, as read at one time.
 *
 * @param workload the Workload; null while its Job has none
 * @param job the Job that it stands for; null if it has none of a kind that the core knows, or it
 *     is gone
 * @param pods the Job's pods
 * @param localQueue the LocalQueue that it names, if that exists
 * @param clusterQueue the ClusterQueue whose quota it holds, or to which its LocalQueue leads
 * @param flavors the ResourceFlavors that exist, by name
 * @param checks the AdmissionChecks that exist, by name
 * @param namespaceLabels the labels of its namespace
 * @param priorityClasses the WorkloadPriorityClasses that exist
 * @param rivals other Workloads that hold quota of the same ClusterQueue, or lead to it
 * @param localQueues LocalQueues that lead to the same ClusterQueue, its own included
 * @param cohorts the Cohorts that exist, by name, if the ClusterQueue belongs to one
 * @param relatives all ClusterQueues, if this one belongs to a Cohort
 * @param neighbours Workloads that hold quota of those
 * @param configuration the core's; null if it isn't known
 * @param coreLease the lease for which the core's replicas compete; null if there is none, as
 *     without leader election, or if it must not be read
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Surroundings(
    @Nullable Workload workload,
    @Nullable JobSeen job,
    List<V1Pod> pods,
    @Nullable LocalQueue localQueue,
    @Nullable ClusterQueue clusterQueue,
    Map<String, ResourceFlavor> flavors,
    Map<String, AdmissionCheck> checks,
    Map<String, String> namespaceLabels,
    Set<String> priorityClasses,
    List<Workload> rivals,
    List<LocalQueue> localQueues,
    Map<String, Cohort> cohorts,
    List<ClusterQueue> relatives,
    List<Workload> neighbours,
    @Nullable Configuration configuration,
    @Nullable V1Lease coreLease) {
  public Surroundings {
    if (workload == null && job == null) {
      throw new IllegalArgumentException("there is nothing to explain without a Workload or a Job");
    }
    pods = List.copyOf(pods);
    flavors = Map.copyOf(flavors);
    checks = Map.copyOf(checks);
    namespaceLabels = Map.copyOf(namespaceLabels);
    priorityClasses = Set.copyOf(priorityClasses);
    rivals = List.copyOf(rivals);
    localQueues = List.copyOf(localQueues);
    cohorts = Map.copyOf(cohorts);
    relatives = List.copyOf(relatives);
    neighbours = List.copyOf(neighbours);
  }
}
