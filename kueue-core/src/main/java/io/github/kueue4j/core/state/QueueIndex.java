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
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.status.Health;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The entries of the queues and Workloads by their names; belongs to the State's thread. A queue
 * has an entry from when somebody first names it: Workloads may come before their queues.
 */
final class QueueIndex {
  private final Map<ObjectKey, WorkloadEntry> workloads = new HashMap<>();
  private final Map<String, ClusterQueueEntry> clusterQueues = new TreeMap<>();
  private final Map<ObjectKey, LocalQueueEntry> localQueues = new TreeMap<>();

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

  /**
   * Who holds quota of a ClusterQueue, as it is now: don't keep it. Also of one that can't admit:
   * what its Workloads borrowed is no less borrowed.
   */
  Collection<Candidate> holders(String clusterQueue) {
    return clusterQueue(clusterQueue)
        .map(queue -> Collections.unmodifiableCollection(queue.holders.values()))
        .orElse(List.of());
  }

  /** The entry of that ClusterQueue, a new one if nobody has named it before. */
  ClusterQueueEntry clusterQueueOf(String name) {
    return clusterQueues.computeIfAbsent(name, ClusterQueueEntry::new);
  }

  /** All ClusterQueues in the order of their names; the list may outlive changes. */
  List<ClusterQueueEntry> clusterQueues() {
    return List.copyOf(clusterQueues.values());
  }

  void forgetIfUnused(ClusterQueueEntry entry) {
    if (entry.forgettable()) {
      clusterQueues.remove(entry.name);
    }
  }

  Optional<LocalQueueEntry> localQueue(ObjectKey key) {
    return Optional.ofNullable(localQueues.get(key));
  }

  /** The entry of that LocalQueue, a new one if nobody has named it before. */
  LocalQueueEntry localQueueOf(ObjectKey key) {
    return localQueues.computeIfAbsent(key, LocalQueueEntry::new);
  }

  /** All LocalQueues in the order of their keys. */
  Collection<LocalQueueEntry> localQueues() {
    return localQueues.values();
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
