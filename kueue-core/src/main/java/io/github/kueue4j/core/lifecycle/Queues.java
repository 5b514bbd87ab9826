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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules that follow the queues: drain, withdraw, and the restart of a stopped queue. */
final class Queues {
  /** Waiting doesn't help against these, so somebody is told. */
  private static final Set<String> HOPELESS =
      Set.of(Reasons.MISCONFIGURED, "NoMatchingFlavor", "ExceedsMaxQuota");

  private Queues() {}

  /** Drain, Reserved or Admitted → Evicting: stopPolicy HoldAndDrain. */
  static @Nullable Decision drain(View view) {
    if (view.situation().localQueue().drains()) {
      return Evict.now(
          view, Rule.DRAIN, Eviction.of(Reasons.LOCAL_QUEUE_STOPPED, Messages.LOCAL_QUEUE_STOPPED));
    }
    if (view.situation().clusterQueue().drains()) {
      return Evict.now(
          view,
          Rule.DRAIN,
          Eviction.of(Reasons.CLUSTER_QUEUE_STOPPED, Messages.CLUSTER_QUEUE_STOPPED));
    }
    return null;
  }

  /**
   * Withdraw, Reserved → Queued or Held: a queue is gone or stopped (Hold too), or the assignment
   * could no longer be made. No eviction: nothing has run. The entries stay, R1 resets them.
   */
  static @Nullable Decision withdraw(View view) {
    if (view.phase() != Phase.RESERVED) {
      return null;
    }
    QueueFacts local = view.situation().localQueue();
    QueueFacts cluster = view.situation().clusterQueue();
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
          Reasons.LOCAL_QUEUE_STOPPED,
          Messages.LOCAL_QUEUE_STOPPED);
    }
    if (cluster.stopped()) {
      return suspended(
          view,
          Messages.queueStopped("ClusterQueue", cluster.name()),
          Reasons.CLUSTER_QUEUE_STOPPED,
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
              .as(Rule.WITHDRAW);
    };
  }

  private static @Nullable Decision misconfigured(View view, String message) {
    return withdraw(view, Reasons.MISCONFIGURED, message)
        .event(LifecycleEvent.warning(Reasons.MISCONFIGURED, message))
        .as(Rule.WITHDRAW);
  }

  private static @Nullable Decision suspended(
      View view, String message, String heldFor, String heldMessage) {
    return withdraw(view, Reasons.SUSPENDED, message)
        .hold(heldFor, heldMessage)
        .event(LifecycleEvent.normal(Reasons.SUSPENDED, message))
        .as(Rule.WITHDRAW);
  }

  private static StatusDraft withdraw(View view, String reason, String message) {
    return new StatusDraft(view).withoutReservation(reason, message);
  }

  /** Queue restart, Held → Queued: the queue that stopped it runs again. */
  static @Nullable Decision restart(View view) {
    String heldFor = view.phase() == Phase.HELD ? view.reading().heldFor() : null;
    if (Reasons.LOCAL_QUEUE_STOPPED.equals(heldFor) && view.situation().localQueue().runs()) {
      return restarted(view, Reasons.LOCAL_QUEUE_RESTARTED, Messages.LOCAL_QUEUE_RESTARTED);
    }
    if (Reasons.CLUSTER_QUEUE_STOPPED.equals(heldFor) && view.situation().clusterQueue().runs()) {
      return restarted(view, Reasons.CLUSTER_QUEUE_RESTARTED, Messages.CLUSTER_QUEUE_RESTARTED);
    }
    return null;
  }

  private static @Nullable Decision restarted(View view, String reason, String message) {
    // A Retry withdrawn a moment ago may have left its requeueAt: R5 with it, for it ends Held.
    return new StatusDraft(view).requeue(reason, message).settleRequeueAt().as(Rule.QUEUE_RESTART);
  }

  /** The scheduler says why it did not reserve. */
  static @Nullable Decision notReserved(View view, String reason, String message) {
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
    if (HOPELESS.contains(reason) && !reason.equals(view.reading().notReservedFor())) {
      draft.event(LifecycleEvent.warning(reason, message));
    }
    boolean wasGated = Reasons.ADMISSION_GATED.equals(view.reading().notReservedFor());
    if (reason.equals(Reasons.ADMISSION_GATED)) {
      draft.event(
          LifecycleEvent.normal(Reasons.ADMISSION_GATED, "Workload a" + message.substring(1)));
    } else if (wasGated) {
      draft.event(
          LifecycleEvent.normal(
              "AdmissionGateCleared", "Admission gate cleared, workload is now admissible"));
    }
    return draft.asIs(Rule.NOT_RESERVED);
  }
}
