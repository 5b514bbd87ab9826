// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A feature gate of the {@code featureGates} block that has an effect here. The others that the
 * API's other implementation has are known by name only, so that an existing configuration keeps
 * working; docs/COMPATIBILITY.md gives the reason for each of them. ACRequeueAfter is the one of
 * KEP-3258; any other switch for what only this core has is a key of the {@code kueue4j} block,
 * read in {@link Extensions}.
 */
@API(status = API.Status.EXPERIMENTAL)
public enum FeatureGate {
  /**
   * KEP-3258: a check's {@code requeueAfterSeconds} delays the next attempt ({@code
   * docs/lifecycle.md}, "The deadline").
   */
  AC_REQUEUE_AFTER("ACRequeueAfter", Stage.BETA, true),
  MANAGED_JOBS_NAMESPACE_SELECTOR_ALWAYS_RESPECTED(
      "ManagedJobsNamespaceSelectorAlwaysRespected", Stage.GA, true),
  TLS_OPTIONS("TLSOptions", Stage.GA, true),
  PARTIAL_ADMISSION("PartialAdmission", Stage.BETA, true),
  FLAVOR_FUNGIBILITY("FlavorFungibility", Stage.BETA, true),
  PRIORITY_SORTING_WITHIN_COHORT("PrioritySortingWithinCohort", Stage.BETA, true),
  FAIR_SHARING_PREEMPT_WITHIN_NOMINAL("FairSharingPreemptWithinNominal", Stage.BETA, true),
  FAIR_SHARING_PRIORITIZE_NON_BORROWING("FairSharingPrioritizeNonBorrowing", Stage.BETA, true),
  LOCAL_QUEUE_METRICS("LocalQueueMetrics", Stage.BETA, true),
  ADMISSION_FAIR_SHARING("AdmissionFairSharing", Stage.BETA, true),
  RECLAIMABLE_PODS("ReclaimablePods", Stage.BETA, true),
  ADMISSION_GATED_BY("AdmissionGatedBy", Stage.BETA, true),
  FINISH_ORPHANED_WORKLOADS("FinishOrphanedWorkloads", Stage.BETA, true),
  QUOTA_CHECK_STRATEGY("QuotaCheckStrategy", Stage.BETA, true),
  METRIC_FOR_WORKLOAD_CREATION_LATENCY("MetricForWorkloadCreationLatency", Stage.BETA, true),
  WORKLOAD_PRIORITY_CLASS_DEFAULTING("WorkloadPriorityClassDefaulting", Stage.BETA, true),
  METRICS_FOR_COHORTS("MetricsForCohorts", Stage.BETA, true),
  WORKLOAD_VALIDATE_RESOURCES_ARE_NON_NEGATIVE(
      "WorkloadValidateResourcesAreNonNegative", Stage.BETA, true),
  WORKLOAD_VALIDATION_FOR_POD_SET_METADATA("WorkloadValidationForPodSetMetadata", Stage.BETA, true),
  RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP(
      "RecomputeAssignmentUponPreemptionTargetsOverlap", Stage.BETA, true),
  KUEUE_DRA_REJECT_WORKLOADS_WHEN_DRA_DISABLED(
      "KueueDRARejectWorkloadsWhenDRADisabled", Stage.BETA, true),
  DISABLE_WAIT_FOR_PODS_READY("DisableWaitForPodsReady", Stage.ALPHA, false),
  CUSTOM_METRIC_LABELS("CustomMetricLabels", Stage.ALPHA, false),
  PRIORITY_BOOST("PriorityBoost", Stage.ALPHA, false),
  SHORT_WORKLOAD_NAMES("ShortWorkloadNames", Stage.ALPHA, false),
  REJECT_UPDATES_TO_CQ_WITH_INVALID_ON_FLAVORS(
      "RejectUpdatesToCQWithInvalidOnFlavors", Stage.ALPHA, false);

  /** The gates of the API's other implementation that have no effect here. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          """
          AssignQueueLabelsForPods CleanupProvisioningRequestsOnEviction ConcurrentAdmission
          DeferRayServiceFinalizationForRedisCleanup ElasticJobsViaWorkloadSlices
          ElasticJobsViaWorkloadSlicesWithTAS FailureRecoveryPolicy FastQuotaReleaseInPodIntegration
          FlavorFungibilityPreserveScanProgress KueueDRAIntegration
          KueueDRAIntegrationConsumableCapacity KueueDRAIntegrationExtendedResource
          KueueDRAIntegrationPartitionableDevices
          LWSImmutableGroupSize MultiKueue MultiKueueAdaptersForCustomJobs MultiKueueClusterProfile
          MultiKueueIncrementalDispatcherConfig MultiKueueIncrementalDispatcherRespectConfigOrder
          MultiKueueKubeConfigPathValidation MultiKueueManagerQuotaAutomation
          MultiKueueOrchestratedPreemption MultiKueueRemoteSpecSync PodIntegrationValidateGroupOwner
          PrioritizePreemptorWorkloads RemoveFinalizersWithStrictPatch SchedulerLibraryIntegration
          SchedulingEquivalenceHashing SkipAncestorCheckForDeletedWorkloads
          SkipReassignmentForPodOwnedWorkloads SparkApplicationIntegration
          TASAssignmentsEncodingByHostnamePrefix TASBalancedPlacement TASCacheNodeMatchResults
          TASCacheTopologyTree TASCachingRemainingResources TASFailedNodeReplacement
          TASFailedNodeReplacementFailFast TASHandleOverlappingFlavors TASMultiLayerTopology
          TASProfileMixed TASRecomputeAssignmentWithinSchedulingCycle
          TASReplaceNodeDueToNotReadyOverFixedTime TASReplaceNodeOnNodeTaints
          TASReplaceNodeOnPodTermination TASRespectNodeAffinityPreferred TASValidateWorkloadSliceSize
          TopologyAwareScheduling UnadmittedWorkloadsExplicitStatus UnadmittedWorkloadsObservability
          ValidateRayAndSparkJobUpdates VectorizedResourceRequests VisibilityOnDemand
          WorkloadIdentifierAnnotations WorkloadRequestUseMergePatch
          """
              .split("\\s+"));

  private final String gateName;
  private final Stage stage;
  private final boolean enabledByDefault;

  FeatureGate(String gateName, Stage stage, boolean enabledByDefault) {
    this.gateName = gateName;
    this.stage = stage;
    this.enabledByDefault = enabledByDefault;
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

  /** Whether the gate has graduated and can no longer be changed. */
  public boolean locked() {
    return stage == Stage.GA;
  }

  /** Whether it is a gate of the API's other implementation that has no effect here. */
  static boolean withoutEffect(String name) {
    return WITHOUT_EFFECT.contains(name);
  }

  /** The names that a configuration may have. */
  static List<String> names() {
    return Stream.concat(
            Arrays.stream(values()).map(FeatureGate::gateName), WITHOUT_EFFECT.stream())
        .sorted()
        .toList();
  }

  static Optional<FeatureGate> named(String name) {
    return Arrays.stream(values()).filter(gate -> gate.gateName.equals(name)).findFirst();
  }
}
