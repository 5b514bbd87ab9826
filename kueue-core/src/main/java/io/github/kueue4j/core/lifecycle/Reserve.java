// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * R1, Queued → Reserved or Admitted: the scheduler found quota.
 *
 * <p>The times of two reservations differ by at least a second, so that the time identifies the
 * reservation that a verdict was made for.
 */
final class Reserve {
  private Reserve() {}

  /**
   * Queued, both queues run, nothing in Retry or Rejected, the checks before quota say Ready, and
   * the entries fit into the status.
   */
  static boolean possible(SituationView view, Collection<CheckPolicy> checks) {
    return view.phase() == Phase.QUEUED
        && Entries.in(CheckState.REJECTED, view.entries()).isEmpty()
        && Entries.retries(view.entries(), names(checks)).isEmpty()
        && view.situation().localQueue().runs()
        && view.situation().clusterQueue().runs()
        && BeforeQuota.open(view.workload(), view.beforeQuota())
        && checks.size() <= Entries.LIMIT;
  }

  static @Nullable ProposedWrite decide(
      SituationView view, Admission admission, Collection<CheckPolicy> requiredChecks) {
    Set<String> required = names(requiredChecks);
    Instant previous = view.quotaReservedSince();
    Instant at =
        ApiSeconds.later(
            ApiSeconds.floor(view.now()), previous == null ? null : previous.plusSeconds(1));
    List<AdmissionCheckState> entries =
        Entries.forReservation(
            view.entries(),
            WithheldChecks.of(view.workload().status()),
            required,
            view.beforeQuota(),
            at);
    WithheldChecks withheld = WithheldChecks.none(at);
    List<AdmissionCheckState> first =
        CheckSequence.among(
                CheckGroups.among(requiredChecks, view.situation().checks()), view.observed())
            .first(entries, withheld);
    StatusDraft draft =
        new StatusDraft(view, at)
            .admission(admission)
            .withoutResourceRequests()
            .condition(
                WorkloadConditions.QUOTA_RESERVED,
                true,
                Reasons.QUOTA_RESERVED,
                Messages.quotaReserved(admission.clusterQueue()))
            .setFalseKeepingMessage(WorkloadConditions.EVICTED)
            .setFalseKeepingMessage(WorkloadConditions.PREEMPTED)
            .entries(first)
            .withheld(withheld)
            .requeueAt(null)
            .forgetObservedRetries()
            .metric(new LifecycleMetric.QuotaReserved(admission.clusterQueue()));
    if (view.observed().containsAll(required) && !view.situation().victimsHoldQuota()) {
      draft
          .condition(WorkloadConditions.ADMITTED, true, Reasons.ADMITTED, Messages.ADMITTED)
          .awaitPods()
          .metric(new LifecycleMetric.Admitted(admission.clusterQueue(), Duration.ZERO));
    } else {
      draft.condition(
          WorkloadConditions.ADMITTED,
          false,
          Reasons.UNSATISFIED_ADMISSION_CHECKS,
          Messages.CHECKS_NOT_READY);
    }
    // Keep the entries as they are: each is one that this assignment requires.
    return draft.toWriteKeepingEntries(Rule.RESERVE);
  }

  private static Set<String> names(Collection<CheckPolicy> checks) {
    return checks.stream().map(CheckPolicy::name).collect(Collectors.toUnmodifiableSet());
  }
}
