// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import java.util.Arrays;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A feature gate of the {@code featureGates} block. Gates without an effect here are accepted, so
 * that an existing configuration keeps working; docs/COMPATIBILITY.md gives the reason for each of
 * them.
 */
@API(status = API.Status.EXPERIMENTAL)
public enum FeatureGate {
  /**
   * KEP-3258: a check's {@code requeueAfterSeconds} delays the next attempt ({@code
   * docs/lifecycle.md}, "The deadline").
   */
  AC_REQUEUE_AFTER("ACRequeueAfter", Stage.BETA, true, true),

  MANAGED_JOBS_NAMESPACE_SELECTOR_ALWAYS_RESPECTED(
      "ManagedJobsNamespaceSelectorAlwaysRespected", Stage.GA, true, true),
  TLS_OPTIONS("TLSOptions", Stage.GA, true, true),

  PARTIAL_ADMISSION("PartialAdmission", Stage.BETA, true, true),
  FLAVOR_FUNGIBILITY("FlavorFungibility", Stage.BETA, true, true),
  FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS(
      "FlavorFungibilityPreserveScanProgress", Stage.BETA, true, false),
  VISIBILITY_ON_DEMAND("VisibilityOnDemand", Stage.BETA, true, false),
  PRIORITY_SORTING_WITHIN_COHORT("PrioritySortingWithinCohort", Stage.BETA, true, true),
  FAIR_SHARING_PREEMPT_WITHIN_NOMINAL("FairSharingPreemptWithinNominal", Stage.BETA, true, true),
  FAIR_SHARING_PRIORITIZE_NON_BORROWING(
      "FairSharingPrioritizeNonBorrowing", Stage.BETA, true, true),
  LOCAL_QUEUE_METRICS("LocalQueueMetrics", Stage.BETA, true, true),
  ADMISSION_FAIR_SHARING("AdmissionFairSharing", Stage.BETA, true, true),
  RECLAIMABLE_PODS("ReclaimablePods", Stage.BETA, true, true),
  REMOVE_FINALIZERS_WITH_STRICT_PATCH("RemoveFinalizersWithStrictPatch", Stage.BETA, true, false),
  ASSIGN_QUEUE_LABELS_FOR_PODS("AssignQueueLabelsForPods", Stage.BETA, true, false),
  SCHEDULING_EQUIVALENCE_HASHING("SchedulingEquivalenceHashing", Stage.BETA, true, false),
  ADMISSION_GATED_BY("AdmissionGatedBy", Stage.BETA, true, true),
  FINISH_ORPHANED_WORKLOADS("FinishOrphanedWorkloads", Stage.BETA, true, true),
  QUOTA_CHECK_STRATEGY("QuotaCheckStrategy", Stage.BETA, true, true),
  METRIC_FOR_WORKLOAD_CREATION_LATENCY("MetricForWorkloadCreationLatency", Stage.BETA, true, true),
  WORKLOAD_IDENTIFIER_ANNOTATIONS("WorkloadIdentifierAnnotations", Stage.BETA, true, false),
  WORKLOAD_PRIORITY_CLASS_DEFAULTING("WorkloadPriorityClassDefaulting", Stage.BETA, true, true),
  METRICS_FOR_COHORTS("MetricsForCohorts", Stage.BETA, true, true),
  CLEANUP_PROVISIONING_REQUESTS_ON_EVICTION(
      "CleanupProvisioningRequestsOnEviction", Stage.BETA, true, false),
  UNADMITTED_WORKLOADS_OBSERVABILITY("UnadmittedWorkloadsObservability", Stage.BETA, true, false),
  WORKLOAD_VALIDATE_RESOURCES_ARE_NON_NEGATIVE(
      "WorkloadValidateResourcesAreNonNegative", Stage.BETA, true, true),
  WORKLOAD_VALIDATION_FOR_POD_SET_METADATA(
      "WorkloadValidationForPodSetMetadata", Stage.BETA, true, true),
  SKIP_ANCESTOR_CHECK_FOR_DELETED_WORKLOADS(
      "SkipAncestorCheckForDeletedWorkloads", Stage.BETA, true, false),
  RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP(
      "RecomputeAssignmentUponPreemptionTargetsOverlap", Stage.BETA, true, true),
  KUEUE_DRA_REJECT_WORKLOADS_WHEN_DRA_DISABLED(
      "KueueDRARejectWorkloadsWhenDRADisabled", Stage.BETA, true, true),
  TOPOLOGY_AWARE_SCHEDULING("TopologyAwareScheduling", Stage.BETA, true, false),
  MULTI_KUEUE("MultiKueue", Stage.BETA, true, false),
  ELASTIC_JOBS_VIA_WORKLOAD_SLICES("ElasticJobsViaWorkloadSlices", Stage.BETA, true, false),

  UNADMITTED_WORKLOADS_EXPLICIT_STATUS(
      "UnadmittedWorkloadsExplicitStatus", Stage.BETA, false, false),

  DISABLE_WAIT_FOR_PODS_READY("DisableWaitForPodsReady", Stage.ALPHA, false, true),
  WORKLOAD_REQUEST_USE_MERGE_PATCH("WorkloadRequestUseMergePatch", Stage.ALPHA, false, false),
  CUSTOM_METRIC_LABELS("CustomMetricLabels", Stage.ALPHA, false, true),
  PRIORITY_BOOST("PriorityBoost", Stage.ALPHA, false, true),
  SHORT_WORKLOAD_NAMES("ShortWorkloadNames", Stage.ALPHA, false, true),
  REJECT_UPDATES_TO_CQ_WITH_INVALID_ON_FLAVORS(
      "RejectUpdatesToCQWithInvalidOnFlavors", Stage.ALPHA, false, true),
  PRIORITIZE_PREEMPTOR_WORKLOADS("PrioritizePreemptorWorkloads", Stage.ALPHA, false, false),
  CONCURRENT_ADMISSION("ConcurrentAdmission", Stage.ALPHA, false, false);

  private final String gateName;
  private final Stage stage;
  private final boolean enabledByDefault;
  private final boolean effective;

  FeatureGate(String gateName, Stage stage, boolean enabledByDefault, boolean effective) {
    this.gateName = gateName;
    this.stage = stage;
    this.enabledByDefault = enabledByDefault;
    this.effective = effective;
  }

  /** How mature the feature behind a gate is. */
  public enum Stage {
    /** Off by default; may be removed. */
    ALPHA,
    /** Usually on by default; can be switched off. */
    BETA,
    /** Always on; can no longer be switched. */
    GA
  }

  /** The name as written in a configuration file. */
  public String gateName() {
    return gateName;
  }

  /** How mature the feature is. */
  public Stage stage() {
    return stage;
  }

  /** The value when the configuration doesn't mention the gate. */
  public boolean enabledByDefault() {
    return enabledByDefault;
  }

  /** Whether it has an effect in this implementation. */
  public boolean effective() {
    return effective;
  }

  /** Whether the gate has graduated and can no longer be changed. */
  public boolean locked() {
    return stage == Stage.GA;
  }

  static Optional<FeatureGate> named(String name) {
    return Arrays.stream(values()).filter(gate -> gate.gateName.equals(name)).findFirst();
  }
}
