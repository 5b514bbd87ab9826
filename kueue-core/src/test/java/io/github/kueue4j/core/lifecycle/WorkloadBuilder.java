// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadSpec;
import io.github.kueue4j.api.WorkloadStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds Workloads for tests, in terms of the lifecycle; times are seconds after {@link #NOON}. */
final class WorkloadBuilder {
  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final Admission ADMISSION = new Admission("cq", List.of());

  private boolean active = true;
  private WorkloadStatus status = WorkloadStatus.empty();

  static WorkloadBuilder workload() {
    return new WorkloadBuilder();
  }

  static Instant at(double seconds) {
    return NOON.plusMillis(Math.round(seconds * 1000));
  }

  WorkloadBuilder inactive() {
    active = false;
    return this;
  }

  WorkloadBuilder condition(String type, boolean value, String reason, double since) {
    return condition(type, value, reason, type + " for " + reason, since);
  }

  WorkloadBuilder condition(
      String type, boolean value, String reason, String message, double since) {
    Condition condition =
        value
            ? Condition.isTrue(type, reason, message, at(since))
            : Condition.isFalse(type, reason, message, at(since));
    status = status.withConditions(Conditions.set(status.conditions(), condition));
    return this;
  }

  WorkloadBuilder reserved(double since) {
    status = status.withAdmission(ADMISSION);
    return condition(WorkloadConditions.QUOTA_RESERVED, true, "QuotaReserved", since);
  }

  WorkloadBuilder withoutAdmission() {
    status = status.withAdmission(null);
    return this;
  }

  WorkloadBuilder released(double since) {
    return condition(WorkloadConditions.QUOTA_RESERVED, false, "PendingEvaluation", since);
  }

  WorkloadBuilder admitted(double since) {
    return reserved(since).condition(WorkloadConditions.ADMITTED, true, "Admitted", since);
  }

  WorkloadBuilder evicted(String reason, double since) {
    return condition(WorkloadConditions.EVICTED, true, reason, since);
  }

  WorkloadBuilder heldFor(String reason) {
    return condition(WorkloadConditions.REQUEUED, false, reason, 0);
  }

  WorkloadBuilder requeued(String reason) {
    return condition(WorkloadConditions.REQUEUED, true, reason, 0);
  }

  WorkloadBuilder finished() {
    return condition(WorkloadConditions.FINISHED, true, "Succeeded", 0);
  }

  WorkloadBuilder target(String reason, String message) {
    return condition(WorkloadConditions.DEACTIVATION_TARGET, true, reason, message, 0);
  }

  WorkloadBuilder requeueAt(double at) {
    RequeueState state = status.requeueState();
    return requeueState(state == null ? null : state.count(), at);
  }

  WorkloadBuilder requeueState(@Nullable Integer count, @Nullable Double at) {
    status = status.withRequeueState(new RequeueState(count, at == null ? null : at(at)));
    return this;
  }

  WorkloadBuilder pastSeconds(int seconds) {
    status = status.withAccumulatedPastExecutionTimeSeconds(seconds);
    return this;
  }

  WorkloadBuilder pending(String check, double since) {
    return entry(check, CheckState.PENDING, since, null, null);
  }

  WorkloadBuilder pending(String check, double since, int retryCount) {
    return entry(check, CheckState.PENDING, since, null, retryCount);
  }

  WorkloadBuilder ready(String check, double since) {
    return entry(check, CheckState.READY, since, null, null);
  }

  WorkloadBuilder rejected(String check, double since) {
    return entry(check, CheckState.REJECTED, since, null, null);
  }

  /** A Retry without a delay. */
  WorkloadBuilder retry(String check, double since) {
    return entry(check, CheckState.RETRY, since, null, null);
  }

  WorkloadBuilder retry(String check, double since, int delay) {
    return entry(check, CheckState.RETRY, since, delay, null);
  }

  WorkloadBuilder entry(
      String check,
      CheckState state,
      double since,
      @Nullable Integer requeueAfterSeconds,
      @Nullable Integer retryCount) {
    return entry(
        new AdmissionCheckState(
            check,
            state,
            at(since),
            check + " is " + state,
            requeueAfterSeconds,
            retryCount,
            List.of(),
            null));
  }

  WorkloadBuilder entry(AdmissionCheckState entry) {
    status = status.withAdmissionCheck(entry);
    return this;
  }

  static PodSetUpdate podSetUpdate() {
    return new PodSetUpdate("main", Map.of("label", "value"), Map.of(), Map.of(), List.of());
  }

  Workload build() {
    return new Workload(
        new V1ObjectMeta().namespace("ns").name("wl").uid("uid-1").generation(7L),
        WorkloadSpec.empty().withActive(active),
        status);
  }

  /** Seen for the first time, two checks a and b required, queues running, owner running. */
  Situation situation() {
    return Situation.of(
            build(),
            QueueSettings.running("lq"),
            QueueSettings.running("cq"),
            RequiredChecks.of(List.of(CheckPolicy.of("a"), CheckPolicy.of("b"))))
        .withOwner(Owner.RUNNING);
  }

  /** The observed entries of a core that hasn't just been restarted. */
  static ObservedEntries seenBefore() {
    return ObservedEntries.none().ended();
  }
}
