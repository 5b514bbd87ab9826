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

import io.github.kueue4j.api.WorkloadConditions;
import org.jspecify.annotations.Nullable;

/**
 * Reserved or Admitted → Evicting for anything but a check: preemption, the pods-ready timeout, a
 * drained queue. And R4, which ends every eviction.
 */
final class Evict {
  private Evict() {}

  static @Nullable Decision now(View view, Rule rule, Eviction eviction) {
    StatusDraft draft = start(view, eviction);
    return draft == null ? null : draft.releaseUnlessAdmitted().settleRequeueAt().as(rule);
  }

  static @Nullable StatusDraft start(View view, Eviction eviction) {
    return view.phase() == Phase.RESERVED || view.phase() == Phase.ADMITTED
        ? new StatusDraft(view).evict(eviction)
        : null;
  }

  /** Preempted by the scheduler. */
  static @Nullable Decision preempt(View view, Preemption preemption) {
    StatusDraft draft = start(view, Eviction.of(Reasons.PREEMPTED, preemption.message()));
    return draft == null
        ? null
        : draft
            .condition(
                WorkloadConditions.PREEMPTED, true, preemption.reason(), preemption.message())
            .event(LifecycleEvent.normal(Reasons.PREEMPTED, preemption.note()))
            .releaseUnlessAdmitted()
            .settleRequeueAt()
            .as(Rule.PREEMPT);
  }

  /**
   * R4 with R5, Evicting → Backoff, Held, Queued or Deactivated: the owner has stopped. Acts on
   * inactive Workloads too, whose requeueAt is nobody's business any more.
   */
  static @Nullable Decision release(View view) {
    Reading reading = view.reading();
    if (!reading.reserved() || !reading.evicted() || !view.situation().owner().stopped()) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view).release();
    return (reading.active() ? draft.settleRequeueAt() : draft).as(Rule.RELEASE);
  }
}
