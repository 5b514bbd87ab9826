// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.state.QueueReports;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.status.ClusterQueueReport;
import io.github.kueue4j.core.status.LocalQueueReport;
import io.github.kueue4j.core.status.QueueStatuses;
import io.github.kueue4j.core.status.QueueUsage;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of ClusterQueues and LocalQueues: only when it changed, and no queue more often
 * than once per interval, however much happens in it; counts alone wait longer where many queues
 * change, see {@link CountsPace}. A key with a namespace is a LocalQueue.
 */
@API(status = API.Status.INTERNAL)
public final class QueueStatusReconciler implements Reconciler {
  private final StatusWriter<ClusterQueue> clusterQueues;
  private final StatusWriter<LocalQueue> localQueues;
  private final StateLoop state;
  private final QueueMeters meters;
  private final boolean fairSharing;
  private final InstantSource clock;
  private final StatusThrottle throttle;
  private final CountsPace counts;

  /**
   * The reconciler.
   *
   * @param fairSharing whether shares count in preemption and are part of the status
   * @param clock for the timestamps in statuses
   * @param throttle how often the status of a queue is computed, and its counts are written; only
   *     those that differed count
   */
  public QueueStatusReconciler(
      FreshCache<ClusterQueue> clusterQueues,
      FreshCache<LocalQueue> localQueues,
      StateLoop state,
      QueueMeters meters,
      boolean fairSharing,
      InstantSource clock,
      StatusThrottle throttle) {
    this.clusterQueues = new StatusWriter<>(clusterQueues);
    this.localQueues = new StatusWriter<>(localQueues);
    this.state = state;
    this.meters = meters;
    this.fairSharing = fairSharing;
    this.clock = clock;
    this.throttle = throttle;
    this.counts = throttle.newCounts();
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws InterruptedException {
    Optional<Instant> later = throttle.tryStart(key);
    if (later.isPresent()) {
      return Requeue.at(later.get());
    }
    return switch (key.namespace().isEmpty() ? clusterQueue(key) : localQueue(key)) {
      case UNCHANGED -> Requeue.never();
      case WRITTEN -> {
        throttle.startInterval(key);
        counts.written(key);
        yield Requeue.never();
      }
      case POSTPONED -> Requeue.at(throttle.startInterval(key));
    };
  }

  private StatusWriter.StatusOutcome clusterQueue(ObjectKey key) throws InterruptedException {
    Instant now = clock.instant();
    Optional<ClusterQueueReport> report =
        ask(
            reports -> {
              Optional<ClusterQueueReport> found = reports.clusterQueue(key.name());
              meters.resources(reports, key.name(), found);
              return found.filter(queue -> !reports.disappears(key.name()));
            });
    if (report.isEmpty()) {
      return gone(key);
    }
    ClusterQueueReport held = report.get();
    return clusterQueues.write(
        key,
        queue ->
            QueueStatuses.of(
                queue,
                held.health(),
                held.counts(),
                fairSharing ? held.share().rounded() : null,
                sampled(held.usage()),
                now),
        (before, after) -> QueueStatuses.sameButForCounts(before, after) && !counts.due(key));
  }

  private StatusWriter.StatusOutcome localQueue(ObjectKey key) throws InterruptedException {
    Instant now = clock.instant();
    Optional<LocalQueueReport> report = ask(reports -> reports.localQueue(key));
    if (report.isEmpty()) {
      return gone(key);
    }
    LocalQueueReport held = report.get();
    return localQueues.write(
        key,
        queue ->
            QueueStatuses.of(
                queue,
                held.clusterQueue(),
                held.health(),
                held.counts(),
                sampled(held.usage()),
                now),
        (before, after) -> QueueStatuses.sameButForCounts(before, after) && !counts.due(key));
  }

  private StatusWriter.StatusOutcome gone(ObjectKey key) {
    throttle.forget(key);
    counts.forget(key);
    return StatusWriter.StatusOutcome.UNCHANGED;
  }

  private static @Nullable AdmissionFairSharingStatus sampled(@Nullable QueueUsage usage) {
    return usage == null ? null : usage.sampled();
  }

  private <R> R ask(Function<QueueReports, R> question) throws InterruptedException {
    try {
      return state.ask(question).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "could not read from the scheduler's state what a queue holds", e);
    }
  }
}
