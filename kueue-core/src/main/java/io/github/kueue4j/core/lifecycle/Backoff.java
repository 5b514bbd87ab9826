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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a Workload that waits after a Retry: R5, R6 and R7.
 *
 * <p>They can't fight each other over requeueAt: all of them write the same value, the deadline of
 * the entries as they are, and R6 ends the matter by resetting the entries.
 */
final class Backoff {
  private Backoff() {}

  /** When R6 may act; null for at once. */
  static @Nullable Instant due(View view) {
    return view.reading().heldForPodsReady()
        ? Stamps.laterOrNull(view.deadline().at(), view.reading().requeueAt())
        : view.deadline().at();
  }

  /**
   * R6, Backoff → Queued, or Held if a queue is stopped: the delay is over. Counts every Retry and
   * resets it in one patch.
   */
  static @Nullable Decision requeue(View view) {
    if (view.phase() != Phase.BACKOFF) {
      return null;
    }
    Instant due = due(view);
    if (due != null && view.now().isBefore(due)) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view).countRetries().requeueAt(null);
    if (!view.reading().heldForStoppedQueue()) {
      draft.requeue(Reasons.BACKOFF_FINISHED, Messages.BACKOFF_FINISHED);
    }
    return draft.fact(new Fact.Requeued(Stamps.between(due, view.now()))).as(Rule.REQUEUE);
  }

  /**
   * R7: a Retry was written without a reservation, or after R6, and nothing else holds the Workload
   * back: now it is held for the check. One without a delay, or whose delay is over, was R6's.
   */
  static @Nullable Decision holdForStrayRetry(View view) {
    if (view.phase() != Phase.BACKOFF || view.reading().heldFor() != null) {
      return null;
    }
    String message = Messages.stillDelayed(view.retries(), view.deadline());
    return new StatusDraft(view)
        .holdForChecks(message)
        .requeueAt(view.deadline().at())
        .recordDelays()
        .event(LifecycleEvent.normal("AdmissionCheckRetry", message))
        .as(Rule.STRAY_RETRY);
  }

  /**
   * R5: requeueAt differs from the deadline, because a check changed its own delay, withdrew it, or
   * answered late. Level-triggered, so it doesn't matter how many changes were missed.
   */
  static @Nullable Decision followDeadline(View view) {
    if (view.phase() != Phase.EVICTING && !view.phase().waits()) {
      return null;
    }
    Instant wanted = StatusDraft.wantedRequeueAt(view.reading(), view.deadline());
    if (Objects.equals(wanted, view.reading().requeueAt())) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view).settleRequeueAt();
    List<AdmissionCheckState> retries = view.retries();
    if (Reasons.ADMISSION_CHECK.equals(view.reading().heldFor()) && !retries.isEmpty()) {
      draft.holdForChecks(Messages.stillDelayed(retries, view.deadline()));
    }
    if (wanted == null && view.phase() == Phase.QUEUED) {
      // No rule leaves it behind in the queue: somebody else wrote it.
      draft.event(LifecycleEvent.warning("StatusMended", Messages.STRAY_REQUEUE_AT));
    }
    return draft.as(Rule.LATE_UPDATE);
  }
}
