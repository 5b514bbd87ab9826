// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.WorkloadConditions;
import org.jspecify.annotations.Nullable;

/**
 * Reserved or Admitted → Evicting for reasons other than checks (preemption, the pods-ready
 * timeout, a drained queue), and R4, which ends every eviction.
 */
final class Evict {
  private Evict() {}

  static @Nullable ProposedWrite now(SituationView view, Rule rule, Eviction eviction) {
    StatusDraft draft = start(view, eviction);
    return draft == null ? null : draft.releaseUnlessRunning().updateRequeueAt().toWrite(rule);
  }

  static @Nullable StatusDraft start(SituationView view, Eviction eviction) {
    return view.phase() == Phase.RESERVED || view.phase() == Phase.ADMITTED
        ? new StatusDraft(view).evict(eviction)
        : null;
  }

  /** Preempted by the scheduler. */
  static @Nullable ProposedWrite preempt(SituationView view, Preemption preemption) {
    StatusDraft draft = start(view, Eviction.of(EvictionReasons.PREEMPTED, preemption.message()));
    if (draft == null) {
      return null;
    }
    return draft
        .condition(WorkloadConditions.PREEMPTED, true, preemption.reason(), preemption.message())
        .releaseUnlessRunning()
        .updateRequeueAt()
        .toWrite(Rule.PREEMPT);
  }

  /**
   * R4 with R5, Evicting → Backoff, Held, Queued or Deactivated: the owner has stopped. Acts on
   * inactive Workloads too; their requeueAt has no meaning any more and is not updated.
   */
  static @Nullable ProposedWrite release(SituationView view) {
    WorkloadConditions conditions = view.conditions();
    if (!conditions.reserved() || !conditions.evicted() || !view.situation().owner().stopped()) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view).release();
    return (view.active() ? draft.updateRequeueAt() : draft).toWrite(Rule.RELEASE);
  }
}
