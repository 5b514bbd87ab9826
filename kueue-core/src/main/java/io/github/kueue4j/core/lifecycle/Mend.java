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

import org.jspecify.annotations.Nullable;

/**
 * Puts in order what no rule writes: a status edited by hand into a contradiction, or left behind
 * by another implementation. Not a row of the table; invariant 1 (nothing gets stuck) asks for it.
 */
final class Mend {
  private Mend() {}

  static @Nullable Decision decide(View view) {
    Reading reading = view.reading();
    boolean assigned = view.workload().status().admission() != null;
    if (view.phase() == Phase.ADMITTED && !assigned) {
      // Without an assignment the owner can't be started and its usage isn't known.
      StatusDraft draft =
          Evict.start(view, Eviction.of(Reasons.ASSIGNMENT_LOST, Messages.ASSIGNMENT_LOST));
      return draft == null
          ? null
          : mended(draft.releaseUnlessAdmitted().settleRequeueAt(), Messages.ASSIGNMENT_LOST);
    }
    if (view.phase().waits() && (assigned || reading.admitted())) {
      return mended(
          new StatusDraft(view)
              .withoutReservation(Reasons.PENDING_EVALUATION, Messages.PENDING_EVALUATION),
          "It was admitted or assigned without reserved quota");
    }
    if (view.phase() == Phase.HELD
        && !reading.heldForStoppedQueue()
        && !reading.heldForDeactivation()) {
      return mended(
          new StatusDraft(view).requeue(Reasons.BACKOFF_FINISHED, Messages.BACKOFF_FINISHED),
          "It was held for a reason that nothing ends: " + reading.heldFor());
    }
    return null;
  }

  private static @Nullable Decision mended(StatusDraft draft, String what) {
    return draft.event(LifecycleEvent.warning("StatusMended", what)).as(Rule.MEND);
  }
}
