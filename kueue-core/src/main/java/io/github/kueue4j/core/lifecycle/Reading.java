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
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a Workload's fields say, in the words of the lifecycle. */
record Reading(Workload workload) {

  Optional<Condition> condition(String type) {
    return Conditions.find(workload.status().conditions(), type);
  }

  boolean isTrue(String type) {
    return Conditions.isTrue(workload.status().conditions(), type);
  }

  boolean isFalse(String type) {
    return Conditions.isFalse(workload.status().conditions(), type);
  }

  boolean finished() {
    return isTrue(WorkloadConditions.FINISHED);
  }

  boolean active() {
    return workload.spec().active();
  }

  boolean reserved() {
    return isTrue(WorkloadConditions.QUOTA_RESERVED);
  }

  boolean evicted() {
    return isTrue(WorkloadConditions.EVICTED);
  }

  boolean admitted() {
    return isTrue(WorkloadConditions.ADMITTED);
  }

  /** The reason of Requeued=False, or null if Requeued isn't False. */
  @Nullable String heldFor() {
    return condition(WorkloadConditions.REQUEUED)
        .filter(requeued -> isFalse(WorkloadConditions.REQUEUED))
        .map(Condition::reason)
        .orElse(null);
  }

  /** The reason of QuotaReserved=False, or null if it isn't False. */
  @Nullable String notReservedFor() {
    return condition(WorkloadConditions.QUOTA_RESERVED)
        .filter(Condition::isFalse)
        .map(Condition::reason)
        .orElse(null);
  }

  boolean heldForPodsReady() {
    return Reasons.PODS_READY_TIMEOUT.equals(heldFor());
  }

  boolean heldForStoppedQueue() {
    String reason = heldFor();
    return Reasons.CLUSTER_QUEUE_STOPPED.equals(reason)
        || Reasons.LOCAL_QUEUE_STOPPED.equals(reason);
  }

  boolean heldForDeactivation() {
    String reason = heldFor();
    return reason != null && reason.startsWith(Reasons.DEACTIVATED);
  }

  /** The cause that a limit named before it deactivates the Workload. */
  Optional<Condition> deactivationTarget() {
    return condition(WorkloadConditions.DEACTIVATION_TARGET)
        .filter(target -> isTrue(WorkloadConditions.DEACTIVATION_TARGET));
  }

  @Nullable Instant quotaReservedSince() {
    return condition(WorkloadConditions.QUOTA_RESERVED)
        .map(Condition::lastTransitionTime)
        .orElse(null);
  }

  @Nullable Instant admittedSince() {
    return condition(WorkloadConditions.ADMITTED).map(Condition::lastTransitionTime).orElse(null);
  }

  @Nullable Instant requeueAt() {
    RequeueState state = workload.status().requeueState();
    return state == null ? null : state.requeueAt();
  }

  List<AdmissionCheckState> entries() {
    return workload.status().admissionChecks();
  }

  List<AdmissionCheckState> rejected() {
    return entries().stream().filter(entry -> entry.is(CheckState.REJECTED)).toList();
  }

  /** The required entries in Retry, sorted by name. */
  List<AdmissionCheckState> retries(Set<String> required) {
    return entries().stream()
        .filter(entry -> entry.is(CheckState.RETRY) && required.contains(entry.name()))
        .sorted(java.util.Comparator.comparing(AdmissionCheckState::name))
        .toList();
  }

  /** The ClusterQueue whose quota is reserved; empty if unknown. */
  String clusterQueue() {
    var admission = workload.status().admission();
    return admission == null ? "" : admission.clusterQueue();
  }
}
