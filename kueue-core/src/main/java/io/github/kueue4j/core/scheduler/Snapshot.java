// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.preemption.DeferredPreemption;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The immutable input of a scheduling cycle. Taking one copies references only: the parts are
 * immutable and shared with the State.
 *
 * @param queues the ClusterQueues of the heads that can admit, by name
 * @param quota the quota of all ClusterQueues and Cohorts, with all reservations
 * @param flavors the ResourceFlavors that exist, by name
 * @param namespaces labels of the namespaces, by name
 * @param preemptionCandidates the holders of quota, as candidates for preemption
 * @param claims the open deferred preemptions (KEP-993)
 * @param gates the feature gates that concern scheduling
 */
@API(status = API.Status.INTERNAL)
public record Snapshot(
    Map<String, Queue> queues,
    QuotaTree quota,
    Map<String, ResourceFlavor> flavors,
    Map<String, Map<String, String>> namespaces,
    PreemptionCandidates preemptionCandidates,
    List<DeferredPreemption> claims,
    SchedulingGates gates) {
  public Snapshot {
    queues = Map.copyOf(queues);
    flavors = Map.copyOf(flavors);
    namespaces = Map.copyOf(namespaces);
    claims = List.copyOf(claims);
  }

  /**
   * A ClusterQueue.
   *
   * @param spec of the ClusterQueue
   * @param deferringChecks its AdmissionChecks that defer preemption (KEP-993)
   */
  public record Queue(ClusterQueueSpec spec, Set<String> deferringChecks) {
    public Queue {
      deferringChecks = Set.copyOf(deferringChecks);
    }
  }
}
