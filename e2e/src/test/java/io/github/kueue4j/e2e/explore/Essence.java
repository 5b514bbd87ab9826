// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadSpec;
import io.github.kueue4j.api.WorkloadStatus;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * What of an object decides anything. Texts, statistics and the dates of most conditions don't, so
 * they are left out, and worlds that differ only in them are one.
 */
final class Essence {
  /** The date of every condition but QuotaReserved: some day long ago. */
  static final Instant LONG_AGO = Times.NOW.minusSeconds(86_400);

  private static final WorkloadSpec ACTIVE = WorkloadSpec.empty();
  private static final WorkloadSpec INACTIVE = ACTIVE.withActive(false);

  /** The message of an entry that records what a check in the mode Observe would have said. */
  static final String RECORD = new ObservedAnswer(CheckState.RETRY, "", "").text();

  private Essence() {}

  static boolean isRecord(AdmissionCheckState entry) {
    return ObservedAnswer.of(entry).isPresent();
  }

  static Workload of(Workload workload) {
    WorkloadStatus status = workload.status();
    boolean evicting =
        isTrue(status, WorkloadConditions.QUOTA_RESERVED)
            && isTrue(status, WorkloadConditions.EVICTED);
    List<Condition> conditions = new ArrayList<>(status.conditions().size());
    for (Condition condition : status.conditions()) {
      conditions.add(
          new Condition(
              condition.type(),
              condition.status(),
              decides(condition, evicting) ? condition.reason() : "",
              condition.type().equals(WorkloadConditions.WITHHELD_CHECKS)
                  ? condition.message()
                  : "",
              isDated(condition) ? condition.lastTransitionTime() : LONG_AGO,
              condition.type().equals(WorkloadConditions.QUOTA_RESERVED) && condition.isFalse()
                  ? condition.observedGeneration()
                  : null));
    }
    conditions.sort(Comparator.comparing(Condition::type));
    List<AdmissionCheckState> entries = new ArrayList<>(status.admissionChecks().size());
    for (AdmissionCheckState entry : status.admissionChecks()) {
      String message = isRecord(entry) ? RECORD : "";
      entries.add(entry.message().equals(message) ? entry : entry.withMessage(message));
    }
    entries.sort(Comparator.comparing(AdmissionCheckState::name));
    return new Workload(
        workload.metadata(),
        workload.spec().active() ? ACTIVE : INACTIVE,
        new WorkloadStatus(
            conditions,
            status.admission(),
            status.requeueState(),
            List.of(),
            entries,
            List.of(),
            null,
            null));
  }

  /** Whether the date of a condition decides anything. */
  static boolean isDated(Condition condition) {
    return condition.type().equals(WorkloadConditions.QUOTA_RESERVED)
        || condition.type().equals(WorkloadConditions.WITHHELD_CHECKS);
  }

  private static boolean decides(Condition condition, boolean evicting) {
    return switch (condition.type()) {
      case WorkloadConditions.REQUEUED -> condition.isFalse();
      case WorkloadConditions.EVICTED -> evicting;
      case WorkloadConditions.QUOTA_RESERVED ->
          condition.reason().equals(CheckStage.WAITING_FOR_CHECKS);
      case WorkloadConditions.DEACTIVATION_TARGET, WorkloadConditions.PODS_READY -> true;
      default -> false;
    };
  }

  private static boolean isTrue(WorkloadStatus status, String type) {
    for (Condition condition : status.conditions()) {
      if (condition.type().equals(type)) {
        return condition.isTrue();
      }
    }
    return false;
  }

  /** Since when an entry is Pending, or Ready, matters only where that can time out. */
  static ObservedEntries of(ObservedEntries observedEntries, Rules rules) {
    return rules.pendingTimeouts() || rules.asksBeforeQuota() || observedEntries.waits().isEmpty()
        ? observedEntries
        : new ObservedEntries(
            observedEntries.restarted(),
            observedEntries.retries(),
            new TreeMap<>(),
            observedEntries.unconfirmed());
  }
}
