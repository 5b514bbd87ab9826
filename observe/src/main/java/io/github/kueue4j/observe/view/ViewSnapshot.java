// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.state.StateSnapshot;
import io.github.kueue4j.core.state.StateSnapshot.QueueWithWaiting;
import io.github.kueue4j.core.status.LocalQueueReport;
import io.github.kueue4j.core.status.QueueUsage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the State, with what the view derives from it: once per snapshot, by the first
 * request that needs it. Thread-safe.
 */
final class ViewSnapshot {
  private final Instant time;
  private final StateSnapshot state;

  // Guarded by this, and never changed once they are there.
  private @Nullable Map<ObjectKey, LocalQueueReport> localQueues;
  private @Nullable Map<ObjectKey, Place> places;
  private @Nullable List<ListedWorkload> listed;

  /**
   * The place of a waiting Workload; the first is 1.
   *
   * @param inClusterQueue among all that wait in its ClusterQueue
   * @param inLocalQueue among those of its LocalQueue
   */
  record Place(String clusterQueue, int inClusterQueue, int inLocalQueue) {}

  ViewSnapshot(Instant time, StateSnapshot state) {
    this.time = time;
    this.state = state;
  }

  /** A snapshot of the same State at another time. */
  synchronized ViewSnapshot at(Instant other) {
    ViewSnapshot same = new ViewSnapshot(other, state);
    same.localQueues = localQueues;
    same.places = places;
    same.listed = listed;
    return same;
  }

  private synchronized Map<ObjectKey, LocalQueueReport> localQueues() {
    Map<ObjectKey, LocalQueueReport> known = localQueues;
    if (known == null) {
      known = new HashMap<>();
      for (LocalQueueReport queue : state.localQueues()) {
        known.put(ObjectKey.of(queue.queue()), queue);
      }
      localQueues = known;
    }
    return known;
  }

  private synchronized Map<ObjectKey, Place> places() {
    Map<ObjectKey, Place> known = places;
    if (known == null) {
      known = new HashMap<>();
      for (Map.Entry<String, QueueWithWaiting> queue : state.clusterQueues().entrySet()) {
        place(queue.getKey(), queue.getValue().workloads().inOrder(this::usage), known);
      }
      places = known;
    }
    return known;
  }

  private static void place(
      String clusterQueue, List<QueuedWorkload> order, Map<ObjectKey, Place> places) {
    Map<ObjectKey, Integer> counted = new HashMap<>();
    for (int index = 0; index < order.size(); index++) {
      QueuedWorkload workload = order.get(index);
      places.put(
          workload.key(),
          new Place(
              clusterQueue, index + 1, counted.merge(workload.localQueueKey(), 1, Integer::sum)));
    }
  }

  /** All Workloads: the waiting ones in the order of their queues, then by age. */
  synchronized List<ListedWorkload> listed() {
    List<ListedWorkload> known = listed;
    if (known == null) {
      known =
          state.workloads().entrySet().stream()
              .map(entry -> listed(entry.getKey(), entry.getValue()))
              .sorted(ListedWorkload.ORDER)
              .toList();
      listed = known;
    }
    return known;
  }

  private ListedWorkload listed(ObjectKey key, Workload workload) {
    return new ListedWorkload(
        workload,
        key,
        phase(workload),
        clusterQueue(workload),
        place(key).map(Place::inClusterQueue).orElse(Integer.MAX_VALUE));
  }

  private double usage(ObjectKey localQueue) {
    LocalQueueReport report = localQueues().get(localQueue);
    QueueUsage usage = report == null ? null : report.usage();
    return usage == null ? 0 : usage.compared();
  }

  Instant time() {
    return time;
  }

  StateSnapshot state() {
    return state;
  }

  /** Where a Workload waits; empty if it doesn't. */
  Optional<Place> place(ObjectKey workload) {
    return Optional.ofNullable(places().get(workload));
  }

  /** The ClusterQueue whose quota a Workload holds or would get; empty if there is none. */
  String clusterQueue(Workload workload) {
    var admission = workload.status().admission();
    if (admission != null && Phase.holdsQuota(workload)) {
      return admission.clusterQueue();
    }
    ObjectKey queue =
        new ObjectKey(
            ObjectKey.of(workload).namespace(),
            Objects.requireNonNullElse(workload.spec().queueName(), ""));
    return Optional.ofNullable(localQueues().get(queue))
        .map(report -> report.queue().spec().clusterQueue())
        .orElse("");
  }

  /** The phase of a Workload, by the checks that its ClusterQueue requires. */
  Phase phase(Workload workload) {
    QueueWithWaiting queue = state.clusterQueues().get(clusterQueue(workload));
    return Phase.of(
        workload, queue == null ? Set.of() : required(queue.report().queue().spec(), workload));
  }

  private static Set<String> required(ClusterQueueSpec queue, Workload workload) {
    var admission = workload.status().admission();
    return admission != null && Phase.holdsQuota(workload)
        ? CheckStrategy.ofAssignment(queue, admission)
        : CheckStrategy.ofAnyFlavor(queue);
  }
}
