// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.apiguardian.api.API;

/** The instants that order Workloads in their queue; the order is {@link QueuedWorkload}'s. */
@API(status = API.Status.INTERNAL)
public final class QueueOrder {
  private QueueOrder() {}

  /**
   * The instant that orders Workloads of equal priority: the eviction if checks or a pods-ready
   * timeout caused it, so that the Workload queues behind those that waited meanwhile; otherwise
   * the creation.
   *
   * @param keepsPlace whether a Workload keeps its position after a pods-ready timeout (KEP-1282,
   *     timestamp Creation)
   */
  public static Instant queuedSince(Workload workload, boolean keepsPlace) {
    return workload
        .conditions()
        .findTrue(WorkloadConditions.EVICTED)
        .filter(
            evicted ->
                evicted.reason().equals(EvictionReasons.ADMISSION_CHECK)
                    || (!keepsPlace && evicted.reason().equals(EvictionReasons.PODS_READY_TIMEOUT)))
        .map(Condition::lastTransitionTime)
        .orElseGet(() -> createdAt(workload));
  }

  /** The start of the waiting time: the last requeue, otherwise the creation. */
  public static Instant waitingSince(Workload workload) {
    return workload
        .conditions()
        .changedAt(WorkloadConditions.REQUEUED)
        .orElseGet(() -> createdAt(workload));
  }

  /** The creation time; the epoch if the object isn't created yet. */
  public static Instant createdAt(Workload workload) {
    return Optional.ofNullable(workload.metadata().getCreationTimestamp())
        .map(OffsetDateTime::toInstant)
        .orElse(Instant.EPOCH);
  }
}
