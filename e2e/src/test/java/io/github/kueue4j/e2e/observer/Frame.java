// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.observer;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
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
    return conditions().reserved();
  }

  /** Whether the core has said that it waits. */
  public boolean waitsForQuota() {
    return conditions().isFalse(WorkloadConditions.QUOTA_RESERVED);
  }

  /** Whether its usage counts. */
  boolean holdsQuota() {
    return reserved() && !finished() && !deleted;
  }

  boolean admitted() {
    return conditions().admitted();
  }

  boolean evicted() {
    return conditions().evicted();
  }

  public boolean finished() {
    return conditions().finished();
  }

  /** The date of the condition QuotaReserved; the beginning of time without one. */
  public Instant reservedSince() {
    return conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(Instant.EPOCH);
  }

  /** Whether {@code active: false} was set, and the core hasn't acted on the activation since. */
  boolean heldForDeactivation() {
    return conditions().heldForDeactivation();
  }

  public @Nullable Instant requeueAt() {
    return status.requeueAt();
  }

  Optional<AdmissionCheckState> entry(String check) {
    return status.admissionCheck(check);
  }

  boolean any(CheckState state) {
    return status.admissionChecks().stream().anyMatch(entry -> entry.is(state));
  }

  Optional<Condition> condition(String type) {
    return conditions().find(type);
  }

  private WorkloadConditions conditions() {
    return new WorkloadConditions(status.conditions());
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
