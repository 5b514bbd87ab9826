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

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the State has to say about queues and Cohorts; belongs to the State's thread. */
final class Reports {
  private final QueueIndex queues;
  private final Quotas quotas;
  private final FairUsage usage;

  Reports(QueueIndex queues, Quotas quotas, FairUsage usage) {
    this.queues = queues;
    this.quotas = quotas;
    this.usage = usage;
  }

  Optional<ClusterQueueReport> clusterQueue(String name) {
    return queues.clusterQueue(name).flatMap(this::clusterQueue);
  }

  private Optional<ClusterQueueReport> clusterQueue(ClusterQueueEntry entry) {
    ClusterQueue object = entry.object;
    if (object == null) {
      return Optional.empty();
    }
    NodeId node = NodeId.queue(entry.name);
    QuotaTree tree = quotas.tree();
    return Optional.of(
        new ClusterQueueReport(
            object,
            entry.health,
            entry.currentCounts(),
            entry.health.active() ? entry.pending.inadmissible() : entry.pending.size(),
            tree.dominantShare(node),
            tree.parent(node).map(NodeId::name).orElse(""),
            usage.report(ObjectKey.cluster(entry.name))));
  }

  /** What all that wait in a ClusterQueue ask for together. */
  Amounts<String> pendingRequests(String clusterQueue) {
    return queues
        .clusterQueue(clusterQueue)
        .map(entry -> entry.pending.requests())
        .orElse(Amounts.none());
  }

  Optional<LocalQueueReport> localQueue(ObjectKey key) {
    return queues.localQueue(key).flatMap(this::localQueue);
  }

  private Optional<LocalQueueReport> localQueue(LocalQueueEntry entry) {
    LocalQueue object = entry.object;
    return object == null
        ? Optional.empty()
        : Optional.of(
            new LocalQueueReport(
                object,
                Health.of(object, queues.healthBehind(entry).orElse(null)),
                entry.currentCounts(),
                specBehind(object),
                usage.report(entry.key)));
  }

  private @Nullable ClusterQueueSpec specBehind(LocalQueue queue) {
    return Optional.ofNullable(queue.spec().clusterQueue())
        .flatMap(queues::clusterQueue)
        .map(entry -> entry.object)
        .map(ClusterQueue::spec)
        .orElse(null);
  }

  /** Empty if neither an object nor a member names it. */
  Optional<CohortReport> cohort(String name) {
    NodeId node = NodeId.cohort(name);
    QuotaTree tree = quotas.tree();
    if (!tree.knows(node)) {
      return Optional.empty();
    }
    Amounts<FlavorResource> reservation = Amounts.none();
    int admitted = 0;
    for (String below : tree.queuesUnder(node)) {
      QueueCounts counts =
          queues.clusterQueue(below).map(entry -> entry.counts).orElse(QueueCounts.none());
      reservation = reservation.plus(counts.reservation());
      admitted += counts.admitted();
    }
    return Optional.of(
        new CohortReport(
            tree.dominantShare(node),
            tree.subtreeQuota(node),
            reservation,
            admitted,
            usage.sampledBelow(node)));
  }

  /** All Cohorts of the tree that a node belongs to; none for a queue that stands alone. */
  List<String> cohortsAround(NodeId member) {
    QuotaTree tree = quotas.tree();
    List<String> cohorts = new ArrayList<>();
    Deque<NodeId> open = new ArrayDeque<>(List.of(tree.rootOf(member)));
    while (!open.isEmpty()) {
      NodeId node = open.pop();
      if (node.isCohort()) {
        cohorts.add(node.name());
        open.addAll(tree.children(node));
      }
    }
    return cohorts;
  }

  /** The Cohorts above a ClusterQueue, its own first. */
  List<String> cohortsAbove(String clusterQueue) {
    return quotas.tree().ancestors(clusterQueue).stream().map(NodeId::name).toList();
  }
}
