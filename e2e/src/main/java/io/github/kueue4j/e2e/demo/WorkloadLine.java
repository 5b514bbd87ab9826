// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The line that the demo shows of one Workload, taken from the object alone.
 *
 * @param key the Workload
 * @param owner the name of the Job behind it, or of the Workload itself when it has none or is that
 *     of a group of pods
 * @param phase where it stands
 * @param checks its check entries as read
 * @param requeueAt when it may queue again, if its status says so
 * @param message the one sentence that explains the phase; may be empty
 */
record WorkloadLine(
    ObjectKey key,
    String owner,
    Phase phase,
    List<AdmissionCheckState> checks,
    @Nullable Instant requeueAt,
    String message) {

  WorkloadLine {
    checks = List.copyOf(checks);
  }

  static WorkloadLine of(Workload workload) {
    List<AdmissionCheckState> checks = workload.status().admissionChecks();
    Phase phase =
        Phase.of(
            workload, checks.stream().map(AdmissionCheckState::name).collect(Collectors.toSet()));
    return new WorkloadLine(
        workload.key(),
        ownerOf(workload),
        phase,
        checks,
        workload.status().requeueAt(),
        explain(workload, phase));
  }

  private static String ownerOf(Workload workload) {
    var owners = workload.metadata().getOwnerReferences();
    return owners == null || owners.isEmpty() || Queued.isOfGroup(workload)
        ? workload.key().name()
        : Objects.requireNonNullElse(owners.getFirst().getName(), workload.key().name());
  }

  private static String explain(Workload workload, Phase phase) {
    List<AdmissionCheckState> checks = workload.status().admissionChecks();
    return switch (phase) {
      case FINISHED -> message(workload, WorkloadConditions.FINISHED);
      case DEACTIVATED, EVICTING -> message(workload, WorkloadConditions.EVICTED);
      case ADMITTED -> "";
      case RESERVED -> messages(checks, CheckState.PENDING);
      case BACKOFF -> messages(checks, CheckState.RETRY);
      case HELD -> message(workload, WorkloadConditions.REQUEUED);
      case QUEUED -> message(workload, WorkloadConditions.QUOTA_RESERVED);
    };
  }

  private static String message(Workload workload, String type) {
    return workload.conditions().find(type).map(Condition::message).orElse("");
  }

  private static String messages(List<AdmissionCheckState> checks, CheckState state) {
    return checks.stream()
        .filter(entry -> entry.is(state) && !entry.message().isEmpty())
        .map(AdmissionCheckState::message)
        .collect(Collectors.joining("; "));
  }

  /** Namespace and Job, such as {@code reports/nightly}. */
  String name() {
    return key.namespace() + "/" + owner;
  }

  /** The phase as a word, such as {@code Backoff}. */
  String phaseWord() {
    String name = phase.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  /** Every check with its state and, where it retried, its attempt: {@code gpu Retry #4}. */
  String checksText() {
    return checks.stream().map(WorkloadLine::checkText).collect(Collectors.joining(", "));
  }

  private static String checkText(AdmissionCheckState entry) {
    int attempt = Objects.requireNonNullElse(entry.retryCount(), 0);
    boolean counted = attempt > 0 || entry.is(CheckState.RETRY);
    return entry.name() + " " + entry.state() + (counted ? " #" + attempt : "");
  }

  /** Time until it may queue again, such as {@code 2h14m}; empty when it isn't waiting for that. */
  String requeueIn(Instant now) {
    return requeueAt == null || phase != Phase.BACKOFF
        ? ""
        : Durations.brief(Duration.between(now, requeueAt));
  }

  /** Whether this line shows a change that is worth printing after the earlier line. */
  boolean tellsMoreThan(@Nullable WorkloadLine earlier) {
    return earlier == null
        || phase != earlier.phase
        || !checksText().equals(earlier.checksText())
        || !Objects.equals(requeueAt, earlier.requeueAt);
  }
}
