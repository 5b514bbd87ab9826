// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.EvictionReasons;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * R3, Reserved or Admitted → Evicting or Backoff: a required check said Retry. Quota is released at
 * once if the Workload wasn't admitted, however long the delay; the Retry entries stay as their
 * checks wrote them.
 *
 * <p>R10 acts in the same patch: a required entry that stayed Pending beyond its check's timeout,
 * and beyond those of its alternatives, becomes a Retry, so that a controller that is down can't
 * hold quota for ever.
 */
final class EvictForRetry {
  private EvictForRetry() {}

  static @Nullable ProposedWrite decide(SituationView read) {
    if (read.phase() != Phase.RESERVED && read.phase() != Phase.ADMITTED) {
      return null;
    }
    List<String> late = read.phase() == Phase.RESERVED ? timedOut(read) : List.of();
    SituationView view = late.isEmpty() ? read : read.withEntries(withTimedOut(read, late));
    List<AdmissionCheckState> retries = view.retries();
    if (retries.isEmpty()) {
      return null;
    }
    String message = Messages.delayed(Messages.inRetry(retries), view.deadline());
    StatusDraft draft =
        new StatusDraft(view)
            .evict(Eviction.of(EvictionReasons.ADMISSION_CHECK, message))
            .hold(EvictionReasons.ADMISSION_CHECK, message)
            .requeueAt(view.deadline().at())
            .recordDelays();
    for (String check : late) {
      draft
          .event(
              LifecycleEvent.warning(
                  "AdmissionCheckTimeout",
                  "AdmissionCheck " + check + ": " + Messages.timedOut(timeout(view, check))))
          .metric(new LifecycleMetric.CheckTimedOut(check));
    }
    return draft
        .releaseUnlessRunning()
        .toWrite(late.isEmpty() ? Rule.EVICT_FOR_RETRY : Rule.PENDING_TIMEOUT);
  }

  /** When the first pending timeout of a reserved Workload elapses; null for never. */
  static @Nullable Instant nextTimeout(SituationView view) {
    Instant next = null;
    for (AdmissionCheckState entry : view.entries()) {
      next = ApiSeconds.earlierOrNull(next, lastTimeout(view, entry));
    }
    return next;
  }

  /** When the wait for an entry and its alternatives ends; null for never, or if it has ended. */
  private static @Nullable Instant lastTimeout(SituationView view, AdmissionCheckState entry) {
    Instant last = null;
    for (AdmissionCheckState answer : view.groups().answers(entry.name(), view.entries())) {
      if (!CheckGroups.refused(answer)) {
        Instant timeout = timeoutOf(view, answer);
        if (timeout == null) {
          return null;
        }
        last = ApiSeconds.later(timeout, last);
      }
    }
    return last;
  }

  private static List<String> timedOut(SituationView view) {
    List<String> late = new ArrayList<>();
    for (AdmissionCheckState entry : view.entries()) {
      Instant timeout = CheckGroups.refused(entry) ? null : lastTimeout(view, entry);
      if (timeout != null && !view.now().isBefore(timeout)) {
        late.add(entry.name());
      }
    }
    return late;
  }

  /** States other than Ready, Retry and Rejected count as Pending, unknown ones included. */
  private static @Nullable Instant timeoutOf(SituationView view, AdmissionCheckState entry) {
    ObservedEntries.Wait wait = view.seen().wait(entry.name());
    CheckPolicy policy = view.policies().get(entry.name());
    if (wait == null
        || policy == null
        || policy.pendingTimeout() == null
        || view.observed().contains(entry.name())
        || entry.is(CheckState.READY)) {
      return null;
    }
    return wait.since().plus(policy.pendingTimeout());
  }

  private static List<AdmissionCheckState> withTimedOut(SituationView view, List<String> late) {
    return Entries.map(
        view.entries(),
        entry ->
            late.contains(entry.name())
                ? Entries.timedOut(
                    entry, view.stamp(), Messages.timedOut(timeout(view, entry.name())))
                : entry);
  }

  private static Duration timeout(SituationView view, String check) {
    CheckPolicy policy = view.policies().get(check);
    return policy == null || policy.pendingTimeout() == null
        ? Duration.ZERO
        : policy.pendingTimeout();
  }
}
