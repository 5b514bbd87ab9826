// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.WorkloadConditions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules that depend on the queues: drain, withdraw, and the restart of a stopped queue. */
final class QueueRules {
  /** Reasons that only a user or an administrator can remove, so they get a Warning event. */
  private static final Set<String> REASONS_TO_WARN_OF =
      Set.of(Reasons.MISCONFIGURED, "NoMatchingFlavor", "ExceedsMaxQuota");

  private QueueRules() {}

  /** Drain, Reserved or Admitted → Evicting: stopPolicy HoldAndDrain. */
  static @Nullable ProposedWrite drain(SituationView view) {
    if (view.situation().localQueue().drains()) {
      return Evict.now(
          view,
          Rule.DRAIN,
          Eviction.of(EvictionReasons.LOCAL_QUEUE_STOPPED, Messages.LOCAL_QUEUE_STOPPED));
    }
    if (view.situation().clusterQueue().drains()) {
      return Evict.now(
          view,
          Rule.DRAIN,
          Eviction.of(EvictionReasons.CLUSTER_QUEUE_STOPPED, Messages.CLUSTER_QUEUE_STOPPED));
    }
    return null;
  }

  /**
   * Withdraw, Reserved → Queued or Held: a queue is gone or stopped (Hold too), or the assignment
   * is no longer valid. It is no eviction, because no pod has run. Each Ready becomes Pending.
   */
  static @Nullable ProposedWrite withdraw(SituationView view) {
    if (view.phase() != Phase.RESERVED) {
      return null;
    }
    QueueSettings local = view.situation().localQueue();
    QueueSettings cluster = view.situation().clusterQueue();
    if (!local.present()) {
      return misconfigured(view, Messages.queueGone("LocalQueue", local.name()));
    }
    if (!cluster.present()) {
      return misconfigured(view, Messages.queueGone("ClusterQueue", cluster.name()));
    }
    if (local.stopped()) {
      return suspended(
          view,
          Messages.queueStopped("LocalQueue", local.name()),
          EvictionReasons.LOCAL_QUEUE_STOPPED,
          Messages.LOCAL_QUEUE_STOPPED);
    }
    if (cluster.stopped()) {
      return suspended(
          view,
          Messages.queueStopped("ClusterQueue", cluster.name()),
          EvictionReasons.CLUSTER_QUEUE_STOPPED,
          Messages.CLUSTER_QUEUE_STOPPED);
    }
    return switch (view.situation().assignment()) {
      case AssignmentValidity.Valid valid ->
          view.workload().status().admission() == null
              ? misconfigured(view, "Quota was reserved without an assignment")
              : null;
      case AssignmentValidity.Invalid(String reason, String message) ->
          withdraw(view, reason, message)
              .event(LifecycleEvent.warning(reason, message))
              .toWrite(Rule.WITHDRAW);
    };
  }

  private static @Nullable ProposedWrite misconfigured(SituationView view, String message) {
    return withdraw(view, Reasons.MISCONFIGURED, message)
        .event(LifecycleEvent.warning(Reasons.MISCONFIGURED, message))
        .toWrite(Rule.WITHDRAW);
  }

  private static @Nullable ProposedWrite suspended(
      SituationView view, String message, String heldFor, String heldMessage) {
    return withdraw(view, Reasons.SUSPENDED, message)
        .hold(heldFor, heldMessage)
        .event(LifecycleEvent.normal(Reasons.SUSPENDED, message))
        .toWrite(Rule.WITHDRAW);
  }

  private static StatusDraft withdraw(SituationView view, String reason, String message) {
    return new StatusDraft(view).withoutReservation(reason, message);
  }

  /** Queue restart, Held → Queued: the queue that stopped it runs again. */
  static @Nullable ProposedWrite restart(SituationView view) {
    String heldFor = view.phase() == Phase.HELD ? view.conditions().heldFor().orElse("") : "";
    if (EvictionReasons.LOCAL_QUEUE_STOPPED.equals(heldFor)
        && view.situation().localQueue().runs()) {
      return restarted(view, Reasons.LOCAL_QUEUE_RESTARTED, Messages.LOCAL_QUEUE_RESTARTED);
    }
    if (EvictionReasons.CLUSTER_QUEUE_STOPPED.equals(heldFor)
        && view.situation().clusterQueue().runs()) {
      return restarted(view, Reasons.CLUSTER_QUEUE_RESTARTED, Messages.CLUSTER_QUEUE_RESTARTED);
    }
    return null;
  }

  private static @Nullable ProposedWrite restarted(
      SituationView view, String reason, String message) {
    // A withdrawn Retry may have left its requeueAt, and R5 won't follow in phase Held: clear it
    // here.
    return new StatusDraft(view)
        .requeue(reason, message)
        .updateRequeueAt()
        .toWrite(Rule.QUEUE_RESTART);
  }

  /** Writes why the scheduler did not reserve quota. */
  static @Nullable ProposedWrite notReserved(SituationView view, String reason, String message) {
    if (!view.phase().waits()) {
      return null;
    }
    StatusDraft draft =
        new StatusDraft(view)
            .condition(WorkloadConditions.QUOTA_RESERVED, false, reason, message)
            .condition(
                WorkloadConditions.ADMITTED,
                false,
                Reasons.NO_RESERVATION,
                Messages.NO_RESERVATION);
    String reasonBefore = view.conditions().notReserved().map(Condition::reason).orElse("");
    if (REASONS_TO_WARN_OF.contains(reason) && !reason.equals(reasonBefore)) {
      draft.event(LifecycleEvent.warning(reason, message));
    }
    if (reason.equals(Reasons.ADMISSION_GATED)) {
      draft.event(
          LifecycleEvent.normal(Reasons.ADMISSION_GATED, "Workload a" + message.substring(1)));
    } else if (reasonBefore.equals(Reasons.ADMISSION_GATED)) {
      draft.event(
          LifecycleEvent.normal(
              "AdmissionGateCleared", "Admission gate cleared, workload is now admissible"));
    }
    return draft.toWriteKeepingEntries(Rule.NOT_RESERVED);
  }
}
