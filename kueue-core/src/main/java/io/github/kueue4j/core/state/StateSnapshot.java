// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.queue.WaitingWorkloads;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.status.ClusterQueueReport;
import io.github.kueue4j.core.status.CohortReport;
import io.github.kueue4j.core.status.LocalQueueReport;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apiguardian.api.API;

/**
 * Everything that the State knows at one moment: immutable values for other threads. Taking it
 * copies references only, one per Workload.
 *
 * @param quota the quota tree with its usage
 * @param clusterQueues the ClusterQueues that exist, by name
 * @param localQueues the LocalQueues that exist, in the order of their keys
 * @param cohorts the Cohorts that exist or that others name, by name
 * @param cohortObjects the Cohorts that exist, by name
 * @param workloads the newest version of each Workload, by key
 */
@API(status = API.Status.INTERNAL)
public record StateSnapshot(
    QuotaTree quota,
    SortedMap<String, QueueWithWaiting> clusterQueues,
    List<LocalQueueReport> localQueues,
    SortedMap<String, CohortReport> cohorts,
    Map<String, Cohort> cohortObjects,
    Map<ObjectKey, Workload> workloads) {
  public StateSnapshot {
    clusterQueues = Collections.unmodifiableSortedMap(clusterQueues);
    localQueues = List.copyOf(localQueues);
    cohorts = Collections.unmodifiableSortedMap(cohorts);
    cohortObjects = Map.copyOf(cohortObjects);
    workloads = Collections.unmodifiableMap(workloads);
  }

  /**
   * A ClusterQueue with the Workloads that wait in it.
   *
   * @param report what it holds
   * @param workloads those that wait
   */
  @API(status = API.Status.INTERNAL)
  public record QueueWithWaiting(ClusterQueueReport report, WaitingWorkloads workloads) {}
}
