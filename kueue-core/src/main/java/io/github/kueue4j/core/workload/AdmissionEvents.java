// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.LifecycleEvent;
import io.github.kueue4j.core.lifecycle.LifecycleMetric;
import io.github.kueue4j.core.queue.QueueOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The events of the regular course, in the words of the API's other implementation: quota was
 * reserved, and the Workload was admitted.
 */
final class AdmissionEvents {
  private AdmissionEvents() {}

  /**
   * The event of a fact; empty for facts that are no step of an admission.
   *
   * @param before the Workload as it waited
   * @param written as it was written
   */
  static Optional<LifecycleEvent> of(LifecycleMetric fact, Workload before, Workload written) {
    return switch (fact) {
      case LifecycleMetric.QuotaReserved(String clusterQueue) ->
          normal(
              "QuotaReserved",
              "Quota reserved in ClusterQueue " + clusterQueue + ", wait time since queued was ",
              waited(before, written));
      case LifecycleMetric.Admitted(String clusterQueue, Duration sinceReservation) ->
          normal(
              "Admitted",
              "Admitted by ClusterQueue " + clusterQueue + ", wait time since reservation was ",
              sinceReservation);
      case LifecycleMetric.Evicted evicted -> Optional.empty();
      case LifecycleMetric.QuotaReleased released -> Optional.empty();
      case LifecycleMetric.PodsReady ready -> Optional.empty();
      case LifecycleMetric.EvictedWhileReady evicted -> Optional.empty();
      case LifecycleMetric.Retried retried -> Optional.empty();
      case LifecycleMetric.Requeued requeued -> Optional.empty();
      case LifecycleMetric.CheckTimedOut timedOut -> Optional.empty();
      case LifecycleMetric.CheckRejected rejected -> Optional.empty();
    };
  }

  private static Optional<LifecycleEvent> normal(String reason, String note, Duration waited) {
    return Optional.of(
        new LifecycleEvent(
            LifecycleEvent.Type.NORMAL, reason, note + Math.max(0, waited.toSeconds()) + "s"));
  }

  private static Duration waited(Workload before, Workload written) {
    Instant since = QueueOrder.waitingSince(before);
    return Duration.between(
        since, written.conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(since));
  }
}
