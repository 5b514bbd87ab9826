// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.WorkloadConditions;
import org.jspecify.annotations.Nullable;

/**
 * Repairs a status that no rule writes: one that was edited by hand into a contradiction, or left
 * by another implementation. Not a row of the table; invariant 1 (nothing gets stuck) requires it.
 */
final class Repair {
  private Repair() {}

  static @Nullable ProposedWrite decide(SituationView view) {
    WorkloadConditions conditions = view.conditions();
    boolean assigned = view.workload().status().admission() != null;
    if (view.phase() == Phase.ADMITTED && !assigned) {
      // Without an assignment the owner can't be started and its usage isn't known.
      StatusDraft draft =
          Evict.start(view, Eviction.of(Reasons.ASSIGNMENT_LOST, Messages.ASSIGNMENT_LOST));
      return draft == null
          ? null
          : mended(draft.releaseUnlessRunning().updateRequeueAt(), Messages.ASSIGNMENT_LOST);
    }
    if (view.phase().waits() && (assigned || conditions.admitted())) {
      return mended(
          new StatusDraft(view)
              .withoutReservation(Reasons.PENDING_EVALUATION, Messages.PENDING_EVALUATION),
          "It was admitted or assigned without reserved quota");
    }
    if (view.phase() == Phase.HELD
        && !conditions.heldForStoppedQueue()
        && !conditions.heldForDeactivation()) {
      return mended(
          new StatusDraft(view).requeue(Reasons.BACKOFF_FINISHED, Messages.BACKOFF_FINISHED),
          "It was held for a reason that nothing ends: " + conditions.heldFor().orElse(""));
    }
    if (PodsReadyRules.leftBehind(view)) {
      return mended(
          new StatusDraft(view).withoutCondition(WorkloadConditions.PODS_READY),
          "Its pods were reported without reserved quota");
    }
    return null;
  }

  private static @Nullable ProposedWrite mended(StatusDraft draft, String what) {
    return draft.event(LifecycleEvent.warning("StatusMended", what)).toWrite(Rule.REPAIR);
  }
}
