// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The state of a workload's admission.
 *
 * @param conditions keyed by type; see {@link WorkloadConditions}
 * @param admission the reserved quota; absent while nothing is reserved
 * @param requeueState counts and the instant before which the workload is not queued
 * @param reclaimablePods pods that need no quota any more, per pod set
 * @param admissionChecks at most 8 entries, one per check, keyed by name
 * @param resourceRequests the requests per pod set, only while nothing is reserved
 * @param accumulatedPastExecutionTimeSeconds seconds in Admitted before the current admission
 * @param schedulingStats evictions so far
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WorkloadStatus(
    List<Condition> conditions,
    @Nullable Admission admission,
    @Nullable RequeueState requeueState,
    List<ReclaimablePod> reclaimablePods,
    List<AdmissionCheckState> admissionChecks,
    List<PodSetRequest> resourceRequests,
    @Nullable Integer accumulatedPastExecutionTimeSeconds,
    @Nullable SchedulingStats schedulingStats) {
  public WorkloadStatus {
    conditions = Lenient.list(conditions);
    reclaimablePods = Lenient.list(reclaimablePods);
    admissionChecks = Lenient.list(admissionChecks);
    resourceRequests = Lenient.list(resourceRequests);
  }

  /** The status of an object that no controller has touched yet. */
  public static WorkloadStatus empty() {
    return new WorkloadStatus(List.of(), null, null, List.of(), List.of(), List.of(), null, null);
  }

  /** Before when the workload is not queued; absent without a delay. */
  public @Nullable Instant requeueAt() {
    return requeueState == null ? null : requeueState.requeueAt();
  }

  /** The entry of one check. */
  public Optional<AdmissionCheckState> admissionCheck(String name) {
    return admissionChecks.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }

  /** A copy in which this entry replaces the one of the same name in its place, or is appended. */
  public WorkloadStatus withAdmissionCheck(AdmissionCheckState entry) {
    return withAdmissionChecks(
        Keyed.replaceOrAppend(admissionChecks, AdmissionCheckState::name, entry));
  }

  /** A copy with another {@code conditions}. */
  public WorkloadStatus withConditions(List<Condition> conditions) {
    return with(conditions, admission, requeueState, reclaimablePods, admissionChecks);
  }

  /** A copy with another {@code admission}. */
  public WorkloadStatus withAdmission(@Nullable Admission admission) {
    return with(conditions, admission, requeueState, reclaimablePods, admissionChecks);
  }

  /** A copy with another {@code requeueState}. */
  public WorkloadStatus withRequeueState(@Nullable RequeueState requeueState) {
    return with(conditions, admission, requeueState, reclaimablePods, admissionChecks);
  }

  /** A copy with another {@code reclaimablePods}. */
  public WorkloadStatus withReclaimablePods(List<ReclaimablePod> reclaimablePods) {
    return with(conditions, admission, requeueState, reclaimablePods, admissionChecks);
  }

  /** A copy with another {@code admissionChecks}. */
  public WorkloadStatus withAdmissionChecks(List<AdmissionCheckState> admissionChecks) {
    return with(conditions, admission, requeueState, reclaimablePods, admissionChecks);
  }

  /** A copy with another {@code resourceRequests}. */
  public WorkloadStatus withResourceRequests(List<PodSetRequest> resourceRequests) {
    return with(resourceRequests, accumulatedPastExecutionTimeSeconds, schedulingStats);
  }

  /** A copy with another {@code accumulatedPastExecutionTimeSeconds}. */
  public WorkloadStatus withAccumulatedPastExecutionTimeSeconds(
      @Nullable Integer accumulatedPastExecutionTimeSeconds) {
    return with(resourceRequests, accumulatedPastExecutionTimeSeconds, schedulingStats);
  }

  /** A copy with another {@code schedulingStats}. */
  public WorkloadStatus withSchedulingStats(@Nullable SchedulingStats schedulingStats) {
    return with(resourceRequests, accumulatedPastExecutionTimeSeconds, schedulingStats);
  }

  private WorkloadStatus with(
      List<Condition> conditions,
      @Nullable Admission admission,
      @Nullable RequeueState requeueState,
      List<ReclaimablePod> reclaimablePods,
      List<AdmissionCheckState> admissionChecks) {
    return new WorkloadStatus(
        conditions,
        admission,
        requeueState,
        reclaimablePods,
        admissionChecks,
        resourceRequests,
        accumulatedPastExecutionTimeSeconds,
        schedulingStats);
  }

  private WorkloadStatus with(
      List<PodSetRequest> resourceRequests,
      @Nullable Integer accumulatedPastExecutionTimeSeconds,
      @Nullable SchedulingStats schedulingStats) {
    return new WorkloadStatus(
        conditions,
        admission,
        requeueState,
        reclaimablePods,
        admissionChecks,
        resourceRequests,
        accumulatedPastExecutionTimeSeconds,
        schedulingStats);
  }
}
