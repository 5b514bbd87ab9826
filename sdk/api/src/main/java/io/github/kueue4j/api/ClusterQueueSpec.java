// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1LabelSelector;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The quota of a ClusterQueue and the rules for using it.
 *
 * @param resourceGroups at most 16; a resource and a flavor belong to one group each
 * @param cohortName the Cohort to share quota with; absent means no sharing
 * @param queueingStrategy absent is BestEffortFIFO
 * @param namespaceSelector namespaces that may use the queue; absent matches none, an empty
 *     selector all
 * @param flavorFungibility when to try the next flavor; absent is the default
 * @param preemption the workloads that may be preempted; absent is none
 * @param admissionChecksStrategy checks that workloads must pass
 * @param stopPolicy absent is None
 * @param fairSharing weight among the members of its cohort
 * @param admissionScope whether past usage orders its LocalQueues (KEP-4136)
 * @param waitForPodsReady kueue4j extension: overrides of the configuration's waitForPodsReady for
 *     this queue
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ClusterQueueSpec(
    List<ResourceGroup> resourceGroups,
    @Nullable String cohortName,
    QueueingStrategy queueingStrategy,
    @Nullable V1LabelSelector namespaceSelector,
    FlavorFungibility flavorFungibility,
    ClusterQueuePreemption preemption,
    @Nullable AdmissionChecksStrategy admissionChecksStrategy,
    StopPolicy stopPolicy,
    @Nullable FairSharing fairSharing,
    @Nullable AdmissionScope admissionScope,
    @Nullable ClusterQueuePodsReady waitForPodsReady) {
  public ClusterQueueSpec {
    resourceGroups = Lenient.list(resourceGroups);
    queueingStrategy =
        queueingStrategy == null ? QueueingStrategy.BEST_EFFORT_FIFO : queueingStrategy;
    flavorFungibility =
        flavorFungibility == null ? FlavorFungibility.defaults() : flavorFungibility;
    preemption = preemption == null ? ClusterQueuePreemption.never() : preemption;
    stopPolicy = stopPolicy == null ? StopPolicy.NONE : stopPolicy;
  }

  /** The spec of an object that says nothing: every field absent or at its default. */
  public static ClusterQueueSpec empty() {
    return new ClusterQueueSpec(
        List.of(),
        null,
        QueueingStrategy.BEST_EFFORT_FIFO,
        null,
        FlavorFungibility.defaults(),
        ClusterQueuePreemption.never(),
        null,
        StopPolicy.NONE,
        null,
        null,
        null);
  }

  /** The names of all resources that this queue has quota for. */
  public Set<String> coveredResources() {
    return resourceGroups.stream()
        .flatMap(group -> group.coveredResources().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The checks of this queue, with the flavors they are limited to. */
  public List<AdmissionCheckStrategyRule> admissionChecks() {
    return admissionChecksStrategy == null ? List.of() : admissionChecksStrategy.admissionChecks();
  }
}
