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
import io.github.kueue4j.api.CheckState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * R3, Reserved or Admitted → Evicting or Backoff: a required check said Retry. Quota is given back
 * at once if nothing can run on it, whatever the delay; the entries stay as their checks wrote
 * them.
 *
 * <p>R10 with it: a required entry that stayed Pending beyond its check's timeout is taken for a
 * Retry, in the same patch, so that a dead controller can't hold quota for ever.
 *
 * <p>With the gate ACRequeueAfter off, the entries are reset as R6 does and nothing is delayed.
 */
final class EvictForRetry {
  private EvictForRetry() {}

  static @Nullable Decision decide(View read) {
    if (read.phase() != Phase.RESERVED && read.phase() != Phase.ADMITTED) {
      return null;
    }
    List<String> late = read.phase() == Phase.RESERVED ? timedOut(read) : List.of();
    View view = late.isEmpty() ? read : read.withEntries(withTimedOut(read, late));
    List<AdmissionCheckState> retries = view.retries();
    if (retries.isEmpty()) {
      return null;
    }
    String message = Messages.delayed(Messages.inRetry(retries), view.deadline());
    StatusDraft draft =
        new StatusDraft(view)
            .evict(Eviction.of(Reasons.ADMISSION_CHECK, message))
            .hold(Reasons.ADMISSION_CHECK, message)
            .requeueAt(view.deadline().at());
    if (view.situation().settings().acRequeueAfter()) {
      draft.recordDelays();
    } else {
      draft.countRetries();
    }
    for (String check : late) {
      draft
          .event(
              LifecycleEvent.warning(
                  "AdmissionCheckTimeout",
                  "AdmissionCheck " + check + ": " + Messages.timedOut(timeout(view, check))))
          .fact(new Fact.CheckTimedOut(check));
    }
    return draft
        .releaseUnlessAdmitted()
        .as(late.isEmpty() ? Rule.EVICT_FOR_RETRY : Rule.PENDING_TIMEOUT);
  }

  /** When the first pending timeout of a reserved Workload elapses; null for never. */
  static @Nullable Instant nextTimeout(View view) {
    Instant next = null;
    for (AdmissionCheckState entry : view.reading().entries()) {
      next = Stamps.earlierOrNull(next, timeoutOf(view, entry));
    }
    return next;
  }

  private static List<String> timedOut(View view) {
    List<String> late = new ArrayList<>();
    for (AdmissionCheckState entry : view.reading().entries()) {
      Instant timeout = timeoutOf(view, entry);
      if (timeout != null && !view.now().isBefore(timeout)) {
        late.add(entry.name());
      }
    }
    return late;
  }

  /** The states that aren't a verdict count as Pending, unknown ones included. */
  private static @Nullable Instant timeoutOf(View view, AdmissionCheckState entry) {
    Sightings.Wait wait = view.seen().wait(entry.name());
    CheckPolicy policy = view.policies().get(entry.name());
    if (wait == null
        || policy == null
        || policy.pendingTimeout() == null
        || entry.is(CheckState.READY)) {
      return null;
    }
    return wait.since().plus(policy.pendingTimeout());
  }

  private static List<AdmissionCheckState> withTimedOut(View view, List<String> late) {
    return Entries.map(
        view.reading().entries(),
        entry ->
            late.contains(entry.name())
                ? Entries.timedOut(
                    entry, view.stamp(), Messages.timedOut(timeout(view, entry.name())))
                : entry);
  }

  private static Duration timeout(View view, String check) {
    CheckPolicy policy = view.policies().get(check);
    return policy == null || policy.pendingTimeout() == null
        ? Duration.ZERO
        : policy.pendingTimeout();
  }
}
