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
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.WorkloadConditions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules around {@code spec.active}: R8, R11, R9, and the limits that lead to R11.
 *
 * <p>Spec and status can't be patched together, so deactivating takes two steps. The first step
 * only sets active to false; whatever asked for it (a Rejected entry, the DeactivationTarget
 * condition) stays until the second has put the consequences into the status. A process killed in
 * between finds the cause where it was.
 */
final class Deactivation {
  private Deactivation() {}

  /** R8: a check said Rejected, required or not; comes before every other rule. */
  static @Nullable Decision reject(View view) {
    List<AdmissionCheckState> rejected =
        view.reading().rejected().stream()
            .sorted(java.util.Comparator.comparing(AdmissionCheckState::name))
            .toList();
    if (rejected.isEmpty()) {
      return null;
    }
    if (view.reading().active()) {
      return Decision.deactivate(Rule.REJECT, view);
    }
    StatusDraft draft = new StatusDraft(view);
    String reason = Reasons.DEACTIVATED_DUE_TO_ADMISSION_CHECK;
    settle(draft, reason, Messages.deactivatedDueTo(Messages.inRejected(rejected)));
    draft.requeueState(null, null);
    draft.event(LifecycleEvent.warning("AdmissionCheckRejected", Messages.rejectedEvent(rejected)));
    rejected.forEach(entry -> draft.fact(new Fact.CheckRejected(entry.name())));
    return draft.as(Rule.REJECT);
  }

  /** R11: deactivated by a user or by a limit. */
  static @Nullable Decision deactivate(View view) {
    Reading reading = view.reading();
    Condition cause = reading.deactivationTarget().orElse(null);
    if (reading.active()) {
      // A limit named the cause; a crash may have come between that and this.
      return cause == null ? null : Decision.deactivate(Rule.DEACTIVATE, view);
    }
    boolean settled =
        cause == null
            && reading.heldForDeactivation()
            && (!reading.reserved() || reading.evicted());
    if (settled) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view);
    if (cause != null) {
      settle(
          draft,
          Reasons.DEACTIVATED_DUE_TO + cause.reason(),
          Messages.deactivatedDueTo(cause.message()));
      // KEP-1282: the count starts anew only if a limit has acted on it.
      draft.requeueState(null, null);
    } else {
      Condition existing =
          reading
              .condition(WorkloadConditions.REQUEUED)
              .filter(requeued -> reading.heldForDeactivation())
              .orElse(null);
      settle(
          draft,
          existing == null ? Reasons.DEACTIVATED : existing.reason(),
          existing == null ? Messages.DEACTIVATED : existing.message());
      draft.requeueAt(null);
    }
    return draft.as(Rule.DEACTIVATE);
  }

  /** R9, → Queued or Held: active again. Also resets what was written while inactive. */
  static @Nullable Decision reactivate(View view) {
    if (!view.phase().waits() || !view.reading().heldForDeactivation()) {
      return null;
    }
    StatusDraft draft =
        new StatusDraft(view).clearEntries("when the workload was reactivated").requeueAt(null);
    if (view.situation().localQueue().stopped()) {
      draft.hold(Reasons.LOCAL_QUEUE_STOPPED, Messages.LOCAL_QUEUE_STOPPED).pendingEvaluation();
    } else if (view.situation().clusterQueue().stopped()) {
      draft.hold(Reasons.CLUSTER_QUEUE_STOPPED, Messages.CLUSTER_QUEUE_STOPPED).pendingEvaluation();
    } else {
      draft.requeue(Reasons.REACTIVATED, Messages.REACTIVATED);
    }
    return draft.as(Rule.REACTIVATE);
  }

  /** First step of a limit: names the cause. R11 takes it from there. */
  static @Nullable Decision exceedLimit(View view, ExceededLimit limit) {
    if (!view.reading().active()) {
      return null;
    }
    StatusDraft draft =
        new StatusDraft(view)
            .condition(
                WorkloadConditions.DEACTIVATION_TARGET, true, limit.reason(), limit.message());
    if (limit.event() != null) {
      draft.event(limit.event());
    }
    return draft.as(Rule.LIMIT_EXCEEDED);
  }

  /** What R8(b) and R11 have in common. */
  private static void settle(StatusDraft draft, String reason, String message) {
    if (draft.reading().reserved()) {
      draft.evict(Eviction.deactivation(reason, message));
    } else if (draft.reading().condition(WorkloadConditions.QUOTA_RESERVED).isPresent()) {
      draft.condition(
          WorkloadConditions.QUOTA_RESERVED, false, Reasons.DEACTIVATED, Messages.DEACTIVATED);
    }
    draft
        .hold(reason, message)
        .clearEntries("when the workload was deactivated")
        .withoutCondition(WorkloadConditions.DEACTIVATION_TARGET)
        .edit(status -> status.withAccumulatedPastExecutionTimeSeconds(null))
        .releaseUnlessAdmitted();
  }
}
