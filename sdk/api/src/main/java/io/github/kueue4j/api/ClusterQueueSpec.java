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
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1LabelSelector;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The quota of a ClusterQueue and the rules for using it.
 *
 * @param resourceGroups at most 16; a resource and a flavor belong to one group each
 * @param cohortName the Cohort to share quota with; absent means alone
 * @param queueingStrategy absent is BestEffortFIFO
 * @param namespaceSelector namespaces that may use the queue; absent matches none, an empty
 *     selector all
 * @param flavorFungibility when to try the next flavor; absent is the default
 * @param preemption whom to preempt; absent is nobody
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

  /** The checks of this queue, with the flavors they are limited to. */
  public List<AdmissionCheckStrategyRule> admissionChecks() {
    return admissionChecksStrategy == null ? List.of() : admissionChecksStrategy.admissionChecks();
  }

  /** A copy with another {@code resourceGroups}. */
  public ClusterQueueSpec withResourceGroups(List<ResourceGroup> resourceGroups) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code cohortName}. */
  public ClusterQueueSpec withCohortName(@Nullable String cohortName) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code queueingStrategy}. */
  public ClusterQueueSpec withQueueingStrategy(QueueingStrategy queueingStrategy) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code namespaceSelector}. */
  public ClusterQueueSpec withNamespaceSelector(@Nullable V1LabelSelector namespaceSelector) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code flavorFungibility}. */
  public ClusterQueueSpec withFlavorFungibility(FlavorFungibility flavorFungibility) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code preemption}. */
  public ClusterQueueSpec withPreemption(ClusterQueuePreemption preemption) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code admissionChecksStrategy}. */
  public ClusterQueueSpec withAdmissionChecksStrategy(
      @Nullable AdmissionChecksStrategy admissionChecksStrategy) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code stopPolicy}. */
  public ClusterQueueSpec withStopPolicy(StopPolicy stopPolicy) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code fairSharing}. */
  public ClusterQueueSpec withFairSharing(@Nullable FairSharing fairSharing) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code admissionScope}. */
  public ClusterQueueSpec withAdmissionScope(@Nullable AdmissionScope admissionScope) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }

  /** A copy with another {@code waitForPodsReady}. */
  public ClusterQueueSpec withWaitForPodsReady(@Nullable ClusterQueuePodsReady waitForPodsReady) {
    return new ClusterQueueSpec(
        resourceGroups,
        cohortName,
        queueingStrategy,
        namespaceSelector,
        flavorFungibility,
        preemption,
        admissionChecksStrategy,
        stopPolicy,
        fairSharing,
        admissionScope,
        waitForPodsReady);
  }
}
