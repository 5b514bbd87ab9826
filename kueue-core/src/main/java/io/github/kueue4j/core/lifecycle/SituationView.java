// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A situation at an instant, with the derived values that several rules need.
 *
 * @param groups which of the required checks are alternatives
 * @param seen the observed entries, updated from the object
 */
record SituationView(
    Situation situation,
    Instant now,
    Phase phase,
    CheckGroups groups,
    ObservedEntries seen,
    Deadline deadline) {

  static SituationView of(Situation situation, Instant now) {
    ObservedEntries seen = Observation.of(situation, now);
    return new SituationView(
        situation,
        now,
        situation.phase(),
        CheckGroups.of(situation),
        seen,
        Deadline.of(situation, seen));
  }

  /** The view after {@code workload} has been written. */
  SituationView after(Workload workload, ObservedEntries applied) {
    return of(situation.withWorkload(workload).withObservedEntries(applied), now);
  }

  /** The view as if the checks had written these entries. */
  SituationView withEntries(List<AdmissionCheckState> entries) {
    Workload workload = workload();
    return after(
        workload.withStatus(workload.status().withAdmissionChecks(entries)),
        situation.observedEntries());
  }

  Workload workload() {
    return situation.workload();
  }

  WorkloadConditions conditions() {
    return workload().conditions();
  }

  boolean active() {
    return workload().spec().active();
  }

  List<AdmissionCheckState> entries() {
    return workload().status().admissionChecks();
  }

  @Nullable Instant requeueAt() {
    return workload().status().requeueAt();
  }

  /** The ClusterQueue whose quota is reserved; empty if unknown. */
  String clusterQueue() {
    return clusterQueue(workload().status());
  }

  static String clusterQueue(WorkloadStatus status) {
    Admission admission = status.admission();
    return admission == null ? "" : admission.clusterQueue();
  }

  SortedMap<String, CheckPolicy> policies() {
    return situation.required();
  }

  Set<String> required() {
    return policies().keySet();
  }

  /** The checks in the mode Observe, for which nothing waits. */
  Set<String> observed() {
    return situation.checks().observed();
  }

  /** The checks that are asked before quota. */
  Set<String> beforeQuota() {
    return situation.checks().beforeQuota().keySet();
  }

  /** The required entries in Retry that count, by name. */
  List<AdmissionCheckState> retries() {
    return groups.retries(entries());
  }

  /** The lastTransitionTime of everything that this plan changes: max(now, QuotaReserved's). */
  Instant stamp() {
    return ApiSeconds.later(ApiSeconds.floor(now), quotaReservedSince());
  }

  /** When QuotaReserved last changed, True or False; null without the condition. */
  @Nullable Instant quotaReservedSince() {
    return conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(null);
  }

  /** When Admitted last changed; null without the condition. */
  @Nullable Instant admittedSince() {
    return conditions().changedAt(WorkloadConditions.ADMITTED).orElse(null);
  }
}
