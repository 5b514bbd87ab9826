// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for a Workload that waits after a Retry: R5, R6 and R7.
 *
 * <p>They never undo each other's writes of requeueAt: all of them write the same value, the
 * deadline of the current entries, and R6 resets the entries.
 */
final class Backoff {
  private Backoff() {}

  /** The instant from which R6 may act; null if it may act at once. */
  static @Nullable Instant due(SituationView view) {
    return view.conditions().heldForPodsReady()
        ? ApiSeconds.laterOrNull(view.deadline().at(), view.requeueAt())
        : view.deadline().at();
  }

  /**
   * R6, Backoff → Queued, or Held if a queue is stopped: the delay is over. Counts every Retry and
   * resets it in one patch.
   */
  static @Nullable ProposedWrite requeue(SituationView view) {
    if (view.phase() != Phase.BACKOFF) {
      return null;
    }
    Instant due = due(view);
    if (due != null && view.now().isBefore(due)) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view).countRetries().requeueAt(null);
    if (!view.conditions().heldForStoppedQueue()) {
      draft.requeue(Reasons.BACKOFF_FINISHED, Messages.BACKOFF_FINISHED);
    }
    return draft
        .metric(new LifecycleMetric.Requeued(ApiSeconds.between(due, view.now())))
        .toWrite(Rule.REQUEUE);
  }

  /**
   * R7: a Retry was written without a reservation, or after R6, and no other Requeued=False holds
   * the Workload: now it is held for the check. R6 precedes this rule and handles a Retry without a
   * delay or whose delay is over.
   */
  static @Nullable ProposedWrite holdForStrayRetry(SituationView view) {
    if (view.phase() != Phase.BACKOFF || view.conditions().heldFor().isPresent()) {
      return null;
    }
    String message = Messages.stillDelayed(view.retries(), view.deadline());
    return new StatusDraft(view)
        .holdForChecks(message)
        .requeueAt(view.deadline().at())
        .recordDelays()
        .event(LifecycleEvent.normal("AdmissionCheckRetry", message))
        .toWrite(Rule.STRAY_RETRY);
  }

  /**
   * R5: requeueAt differs from the deadline, because a check changed its own delay, withdrew it, or
   * answered late; or the entry of a delay that counts from later is dated before the last change
   * of QuotaReserved. Level-triggered, so missed changes don't matter.
   */
  static @Nullable ProposedWrite followDeadline(SituationView view) {
    if (view.phase() != Phase.EVICTING && !view.phase().waits()) {
      return null;
    }
    if (StatusDraft.tellsDeadline(view)) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view).updateRequeueAt();
    List<AdmissionCheckState> retries = view.retries();
    if (view.conditions().heldForChecks() && !retries.isEmpty()) {
      draft.holdForChecks(Messages.stillDelayed(retries, view.deadline()));
    }
    if (view.deadline().at() == null && view.phase() == Phase.QUEUED) {
      // No rule leaves requeueAt on a queued Workload, so another writer set it.
      draft.event(LifecycleEvent.warning("StatusMended", Messages.STRAY_REQUEUE_AT));
    }
    return draft.toWrite(Rule.LATE_UPDATE);
  }
}
