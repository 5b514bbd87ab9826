// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.status.Health;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the queues and Workloads by their names. A queue has an entry as soon as another
 * object names it, since Workloads may come before their queues. Belongs to the State's thread.
 */
final class QueueIndex {
  private final Map<ObjectKey, WorkloadEntry> workloads = new HashMap<>();
  private final Map<String, ClusterQueueEntry> clusterQueues = new TreeMap<>();

  /** The ClusterQueues that may have a head. */
  private final Map<String, ClusterQueueEntry> open = new TreeMap<>();

  private final Map<ObjectKey, LocalQueueEntry> localQueues = new TreeMap<>();

  /** The LocalQueues that exist, by the ClusterQueues that they name. */
  private final Map<String, SortedMap<ObjectKey, LocalQueueEntry>> leading = new HashMap<>();

  Optional<WorkloadEntry> workload(ObjectKey key) {
    return Optional.ofNullable(workloads.get(key));
  }

  WorkloadEntry workloadOf(ObjectKey key) {
    return workloads.computeIfAbsent(key, WorkloadEntry::new);
  }

  Collection<WorkloadEntry> workloads() {
    return workloads.values();
  }

  Optional<WorkloadEntry> remove(ObjectKey workload) {
    return Optional.ofNullable(workloads.remove(workload));
  }

  Optional<ClusterQueueEntry> clusterQueue(String name) {
    return Optional.ofNullable(clusterQueues.get(name));
  }

  /** The spec of a ClusterQueue; empty if there is no such object. */
  Optional<ClusterQueueSpec> specOf(String clusterQueue) {
    return clusterQueue(clusterQueue)
        .flatMap(entry -> Optional.ofNullable(entry.object))
        .map(ClusterQueue::spec);
  }

  /**
   * The Workloads that hold quota of a ClusterQueue: a view that is valid until the next change.
   * ClusterQueues that can't admit are included, since what their Workloads borrowed stays
   * borrowed.
   */
  Collection<Candidate> holders(String clusterQueue) {
    return clusterQueue(clusterQueue)
        .map(queue -> Collections.unmodifiableCollection(queue.holders.values()))
        .orElse(List.of());
  }

  /** The entry of a ClusterQueue; a new one if no object has named it before. */
  ClusterQueueEntry clusterQueueOf(String name) {
    return clusterQueues.computeIfAbsent(
        name, key -> new ClusterQueueEntry(key, entry -> open.put(key, entry)));
  }

  /** All ClusterQueues in the order of their names; the list may outlive changes. */
  List<ClusterQueueEntry> clusterQueues() {
    return List.copyOf(clusterQueues.values());
  }

  /**
   * The ClusterQueues that may have a head, in the order of their names: all in which something has
   * changed since they were {@link #exhausted}; the list may outlive changes.
   */
  List<ClusterQueueEntry> mayHaveHeads() {
    return List.copyOf(open.values());
  }

  /** A ClusterQueue has no head until what waits in it changes. */
  void exhausted(ClusterQueueEntry entry) {
    open.remove(entry.name);
  }

  void forgetIfUnused(ClusterQueueEntry entry) {
    if (entry.forgettable()) {
      clusterQueues.remove(entry.name);
      open.remove(entry.name);
    }
  }

  Optional<LocalQueueEntry> localQueue(ObjectKey key) {
    return Optional.ofNullable(localQueues.get(key));
  }

  /** The entry of a LocalQueue; a new one if no object has named it before. */
  LocalQueueEntry localQueueOf(ObjectKey key) {
    return localQueues.computeIfAbsent(key, LocalQueueEntry::new);
  }

  /** All LocalQueues in the order of their keys. */
  Collection<LocalQueueEntry> localQueues() {
    return localQueues.values();
  }

  /** The LocalQueues that name a ClusterQueue, in the order of their keys; a view. */
  Collection<LocalQueueEntry> localQueuesOf(String clusterQueue) {
    return leading.getOrDefault(clusterQueue, Collections.emptySortedMap()).values();
  }

  /**
   * The object of a LocalQueue came, changed or went.
   *
   * @param object null when it is gone
   */
  void replace(LocalQueueEntry entry, @Nullable LocalQueue object) {
    clusterQueueOf(entry.object)
        .ifPresent(
            name ->
                leading.computeIfPresent(
                    name,
                    (key, entries) -> {
                      entries.remove(entry.key);
                      return entries.isEmpty() ? null : entries;
                    }));
    entry.object = object;
    clusterQueueOf(object)
        .ifPresent(
            name -> leading.computeIfAbsent(name, key -> new TreeMap<>()).put(entry.key, entry));
  }

  private static Optional<String> clusterQueueOf(@Nullable LocalQueue queue) {
    return Optional.ofNullable(queue).map(object -> object.spec().clusterQueue());
  }

  void forgetIfUnused(LocalQueueEntry entry) {
    if (entry.object == null && entry.members.isEmpty()) {
      localQueues.remove(entry.key);
    }
  }

  /** The health of the ClusterQueue that a LocalQueue leads to; empty if there is none. */
  Optional<Health> healthBehind(LocalQueueEntry queue) {
    return Optional.ofNullable(queue.object)
        .map(object -> object.spec().clusterQueue())
        .flatMap(this::clusterQueue)
        .filter(entry -> entry.object != null)
        .map(entry -> entry.health);
  }
}
