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
package io.github.kueue4j.e2e.observer;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One version of a Workload, as a watch showed it.
 *
 * @param version its resourceVersion
 * @param seenAt when the watch showed it, by the run's clock
 * @param deleted whether this is the end of it
 * @param cpus what it asks for
 */
public record Frame(
    ObjectKey key,
    String uid,
    long version,
    Instant seenAt,
    boolean deleted,
    boolean active,
    long cpus,
    WorkloadStatus status) {

  /** The version that a request has read. */
  public static Frame of(Workload workload) {
    return of(workload, Instant.EPOCH, false);
  }

  /** The version that a watch has shown. */
  static Frame of(Workload workload, Instant seenAt, boolean deleted) {
    return new Frame(
        ObjectKey.of(workload),
        Objects.requireNonNull(workload.metadata().getUid(), "uid"),
        Long.parseLong(
            Objects.requireNonNull(workload.metadata().getResourceVersion(), "resourceVersion")),
        seenAt,
        deleted,
        workload.spec().active(),
        cpus(workload),
        workload.status());
  }

  private static long cpus(Workload workload) {
    return workload.spec().podSets().stream()
        .mapToLong(
            podSet -> {
              var spec = Objects.requireNonNull(podSet.template().getSpec(), "pod spec");
              return podSet.count()
                  * spec.getContainers().stream()
                      .map(container -> container.getResources().getRequests().get("cpu"))
                      .mapToLong(cpu -> Quantity.ofClient(cpu).value())
                      .sum();
            })
        .sum();
  }

  public boolean reserved() {
    return isTrue(WorkloadConditions.QUOTA_RESERVED);
  }

  /** Whether the core has said that it waits. */
  public boolean waitsForQuota() {
    return Conditions.isFalse(status.conditions(), WorkloadConditions.QUOTA_RESERVED);
  }

  /** Whether its usage counts. */
  boolean holdsQuota() {
    return reserved() && !finished() && !deleted;
  }

  boolean admitted() {
    return isTrue(WorkloadConditions.ADMITTED);
  }

  boolean evicted() {
    return isTrue(WorkloadConditions.EVICTED);
  }

  public boolean finished() {
    return isTrue(WorkloadConditions.FINISHED);
  }

  /** The date of the condition QuotaReserved; the beginning of time without one. */
  public Instant reservedSince() {
    return condition(WorkloadConditions.QUOTA_RESERVED)
        .map(Condition::lastTransitionTime)
        .orElse(Instant.EPOCH);
  }

  /** Whether somebody set {@code active: false} and nobody has acted on its return yet. */
  boolean heldForDeactivation() {
    return condition(WorkloadConditions.REQUEUED)
        .filter(Condition::isFalse)
        .filter(requeued -> requeued.reason().startsWith("Deactivated"))
        .isPresent();
  }

  public @Nullable Instant requeueAt() {
    RequeueState state = status.requeueState();
    return state == null ? null : state.requeueAt();
  }

  Optional<AdmissionCheckState> entry(String check) {
    return status.admissionCheck(check);
  }

  boolean any(CheckState state) {
    return status.admissionChecks().stream().anyMatch(entry -> entry.is(state));
  }

  Optional<Condition> condition(String type) {
    return Conditions.find(status.conditions(), type);
  }

  private boolean isTrue(String type) {
    return Conditions.isTrue(status.conditions(), type);
  }

  /** For the trace of a violation: the facts that rules look at. */
  public String brief() {
    StringBuilder text = new StringBuilder();
    text.append(version).append(' ').append(seenAt).append(' ').append(key.name());
    if (deleted) {
      text.append(" deleted");
    }
    if (!active) {
      text.append(" inactive");
    }
    status
        .conditions()
        .forEach(
            condition ->
                text.append(' ')
                    .append(condition.type())
                    .append('=')
                    .append(condition.status(), 0, 1)
                    .append('(')
                    .append(condition.reason())
                    .append(')'));
    text.append(" reservedSince=").append(reservedSince());
    text.append(" requeueAt=").append(requeueAt());
    status
        .admissionChecks()
        .forEach(
            entry ->
                text.append(" [")
                    .append(entry.name())
                    .append(' ')
                    .append(entry.state())
                    .append(' ')
                    .append(entry.lastTransitionTime())
                    .append(" +")
                    .append(entry.requeueAfterSeconds())
                    .append(" n=")
                    .append(entry.retryCount())
                    .append(']'));
    return text.toString();
  }
}
