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
package io.github.kueue4j.core.config;

import java.util.Arrays;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A named switch of the {@code featureGates} block. Gates that the core doesn't act upon yet are
 * accepted all the same, so that an existing configuration keeps working.
 */
@API(status = API.Status.EXPERIMENTAL)
public enum FeatureGate {
  /**
   * KEP-3258: a check's {@code requeueAfterSeconds} delays the next attempt (LIFECYCLE section 2).
   */
  AC_REQUEUE_AFTER("ACRequeueAfter", true),

  MANAGED_JOBS_NAMESPACE_SELECTOR_ALWAYS_RESPECTED(
      "ManagedJobsNamespaceSelectorAlwaysRespected", true, true),
  TLS_OPTIONS("TLSOptions", true, true),

  PARTIAL_ADMISSION("PartialAdmission", true),
  FLAVOR_FUNGIBILITY("FlavorFungibility", true),
  FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS("FlavorFungibilityPreserveScanProgress", true),
  VISIBILITY_ON_DEMAND("VisibilityOnDemand", true),
  PRIORITY_SORTING_WITHIN_COHORT("PrioritySortingWithinCohort", true),
  FAIR_SHARING_PREEMPT_WITHIN_NOMINAL("FairSharingPreemptWithinNominal", true),
  FAIR_SHARING_PRIORITIZE_NON_BORROWING("FairSharingPrioritizeNonBorrowing", true),
  LOCAL_QUEUE_METRICS("LocalQueueMetrics", true),
  ADMISSION_FAIR_SHARING("AdmissionFairSharing", true),
  RECLAIMABLE_PODS("ReclaimablePods", true),
  REMOVE_FINALIZERS_WITH_STRICT_PATCH("RemoveFinalizersWithStrictPatch", true),
  ASSIGN_QUEUE_LABELS_FOR_PODS("AssignQueueLabelsForPods", true),
  SCHEDULING_EQUIVALENCE_HASHING("SchedulingEquivalenceHashing", true),
  ADMISSION_GATED_BY("AdmissionGatedBy", true),
  FINISH_ORPHANED_WORKLOADS("FinishOrphanedWorkloads", true),
  QUOTA_CHECK_STRATEGY("QuotaCheckStrategy", true),
  METRIC_FOR_WORKLOAD_CREATION_LATENCY("MetricForWorkloadCreationLatency", true),
  WORKLOAD_IDENTIFIER_ANNOTATIONS("WorkloadIdentifierAnnotations", true),
  WORKLOAD_PRIORITY_CLASS_DEFAULTING("WorkloadPriorityClassDefaulting", true),
  METRICS_FOR_COHORTS("MetricsForCohorts", true),
  CLEANUP_PROVISIONING_REQUESTS_ON_EVICTION("CleanupProvisioningRequestsOnEviction", true),
  UNADMITTED_WORKLOADS_OBSERVABILITY("UnadmittedWorkloadsObservability", true),
  WORKLOAD_VALIDATE_RESOURCES_ARE_NON_NEGATIVE("WorkloadValidateResourcesAreNonNegative", true),
  WORKLOAD_VALIDATION_FOR_POD_SET_METADATA("WorkloadValidationForPodSetMetadata", true),
  SKIP_ANCESTOR_CHECK_FOR_DELETED_WORKLOADS("SkipAncestorCheckForDeletedWorkloads", true),
  RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP(
      "RecomputeAssignmentUponPreemptionTargetsOverlap", true),
  KUEUE_DRA_REJECT_WORKLOADS_WHEN_DRA_DISABLED("KueueDRARejectWorkloadsWhenDRADisabled", true),

  UNADMITTED_WORKLOADS_EXPLICIT_STATUS("UnadmittedWorkloadsExplicitStatus", false),

  DISABLE_WAIT_FOR_PODS_READY("DisableWaitForPodsReady", false),
  WORKLOAD_REQUEST_USE_MERGE_PATCH("WorkloadRequestUseMergePatch", false),
  CUSTOM_METRIC_LABELS("CustomMetricLabels", false),
  PRIORITY_BOOST("PriorityBoost", false),
  SHORT_WORKLOAD_NAMES("ShortWorkloadNames", false),
  REJECT_UPDATES_TO_CQ_WITH_INVALID_ON_FLAVORS("RejectUpdatesToCQWithInvalidOnFlavors", false),
  PRIORITIZE_PREEMPTOR_WORKLOADS("PrioritizePreemptorWorkloads", false);

  private final String gateName;
  private final boolean enabledByDefault;
  private final boolean locked;

  FeatureGate(String gateName, boolean enabledByDefault) {
    this(gateName, enabledByDefault, false);
  }

  FeatureGate(String gateName, boolean enabledByDefault, boolean locked) {
    this.gateName = gateName;
    this.enabledByDefault = enabledByDefault;
    this.locked = locked;
  }

  /** The name as written in a configuration file. */
  public String gateName() {
    return gateName;
  }

  /** The value when the configuration doesn't mention the gate. */
  public boolean enabledByDefault() {
    return enabledByDefault;
  }

  /** Whether the gate has graduated and can no longer be changed. */
  public boolean locked() {
    return locked;
  }

  static Optional<FeatureGate> named(String name) {
    return Arrays.stream(values()).filter(gate -> gate.gateName.equals(name)).findFirst();
  }
}
