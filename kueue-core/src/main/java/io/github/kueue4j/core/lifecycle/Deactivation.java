// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.WorkloadConditions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules around {@code spec.active}: R8, R11, R9, and the limits that lead to R11.
 *
 * <p>Spec and status can't be patched together, so deactivating takes two steps. The first step
 * only sets active to false; its cause (a Rejected entry, the DeactivationTarget condition) stays
 * until the second step has written the consequences to the status. A process that is killed in
 * between finds the cause again.
 */
final class Deactivation {
  private Deactivation() {}

  /**
   * R8: a check said Rejected, required or not, and so did all alternatives to it; comes before
   * every other rule but R12.
   */
  static @Nullable ProposedWrite reject(SituationView view) {
    List<AdmissionCheckState> rejected = view.groups().rejections(view.entries());
    if (rejected.isEmpty()) {
      return null;
    }
    if (view.active()) {
      return ProposedWrite.deactivate(Rule.REJECT, view);
    }
    StatusDraft draft = new StatusDraft(view);
    String reason = EvictionReasons.DEACTIVATED_DUE_TO_ADMISSION_CHECK;
    settle(draft, reason, Messages.deactivatedDueTo(Messages.inRejected(rejected)));
    draft.event(LifecycleEvent.warning("AdmissionCheckRejected", Messages.rejectedEvent(rejected)));
    rejected.forEach(entry -> draft.metric(new LifecycleMetric.CheckRejected(entry.name())));
    return draft.toWrite(Rule.REJECT);
  }

  /** R11: deactivated by a user or by a limit. */
  static @Nullable ProposedWrite deactivate(SituationView view) {
    WorkloadConditions conditions = view.conditions();
    Condition cause = conditions.deactivationTarget().orElse(null);
    if (view.active()) {
      // A limit wrote DeactivationTarget; the process may have crashed before it set active=false.
      return cause == null ? null : ProposedWrite.deactivate(Rule.DEACTIVATE, view);
    }
    boolean settled =
        cause == null
            && conditions.heldForDeactivation()
            && (!conditions.reserved() || conditions.evicted());
    if (settled) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view);
    if (cause != null) {
      settle(
          draft,
          EvictionReasons.DEACTIVATED_DUE_TO + cause.reason(),
          Messages.deactivatedDueTo(cause.message()));
    } else {
      Condition existing =
          conditions
              .findFalse(WorkloadConditions.REQUEUED)
              .filter(requeued -> EvictionReasons.isDeactivation(requeued.reason()))
              .orElse(null);
      settle(
          draft,
          existing == null ? EvictionReasons.DEACTIVATED : existing.reason(),
          existing == null ? Messages.DEACTIVATED : existing.message());
    }
    return draft.toWrite(Rule.DEACTIVATE);
  }

  /**
   * R9, → Queued or Held: active again. Also resets what was written while inactive, and the
   * requeue count, which could be read until now, unless a user had deactivated it (KEP-1282).
   */
  static @Nullable ProposedWrite reactivate(SituationView view) {
    if (!view.phase().waits() || !view.conditions().heldForDeactivation()) {
      return null;
    }
    StatusDraft draft = new StatusDraft(view).clearEntries("when the workload was reactivated");
    if (view.conditions().heldFor().filter(EvictionReasons.DEACTIVATED::equals).isPresent()) {
      draft.requeueAt(null);
    } else {
      // Without a count there was no attempt in vain whose date PodsReady could keep.
      draft.requeueState(null, null).withoutCondition(WorkloadConditions.PODS_READY);
    }
    if (view.situation().localQueue().stopped()) {
      draft
          .hold(EvictionReasons.LOCAL_QUEUE_STOPPED, Messages.LOCAL_QUEUE_STOPPED)
          .pendingEvaluation();
    } else if (view.situation().clusterQueue().stopped()) {
      draft
          .hold(EvictionReasons.CLUSTER_QUEUE_STOPPED, Messages.CLUSTER_QUEUE_STOPPED)
          .pendingEvaluation();
    } else {
      draft.requeue(Reasons.REACTIVATED, Messages.REACTIVATED);
    }
    return draft.toWrite(Rule.REACTIVATE);
  }

  /** First step of a limit: writes the cause to DeactivationTarget. R11 does the rest. */
  static @Nullable ProposedWrite exceedLimit(SituationView view, ExceededLimit limit) {
    if (!view.active()) {
      return null;
    }
    StatusDraft draft =
        new StatusDraft(view)
            .condition(
                WorkloadConditions.DEACTIVATION_TARGET, true, limit.reason(), limit.message());
    if (limit.event() != null) {
      draft.event(limit.event());
    }
    return draft.toWrite(Rule.LIMIT_EXCEEDED);
  }

  /** Writes the consequences of a deactivation to the status: the common part of R8(b) and R11. */
  private static void settle(StatusDraft draft, String reason, String message) {
    if (draft.conditions().reserved()) {
      draft.evict(Eviction.deactivation(reason, message));
    } else {
      // The attempts in vain end here: the next one's pods have their whole time again.
      draft
          .withoutCondition(WorkloadConditions.PODS_READY)
          .condition(
              WorkloadConditions.QUOTA_RESERVED,
              false,
              EvictionReasons.DEACTIVATED,
              Messages.DEACTIVATED);
    }
    draft
        .hold(reason, message)
        .clearEntries("when the workload was deactivated")
        .requeueAt(null)
        .withoutCondition(WorkloadConditions.DEACTIVATION_TARGET)
        .edit(status -> status.withAccumulatedPastExecutionTimeSeconds(null))
        .releaseUnlessRunning();
  }
}
