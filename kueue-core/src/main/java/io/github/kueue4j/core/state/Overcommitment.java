// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.preemption.QuotaProjections;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.state.WorkloadEntry.Holding;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Finds the reservations that have to be revoked after an administrator has taken quota away: the
 * youngest ones whose Workloads aren't admitted yet, as many as it takes for the rest to fit, and
 * those of borrowing queues first. Admitted Workloads keep running. Belongs to the State's thread.
 */
final class Overcommitment {
  private final QueueIndex queues;
  private final Quotas quotas;
  private final DeferredPreemptions deferredPreemptions;
  private final Outbox outbox;
  private final State.Effects effects;

  Overcommitment(SchedulingBooks books, DeferredPreemptions deferredPreemptions) {
    this.queues = books.queues();
    this.quotas = books.quotas();
    this.deferredPreemptions = deferredPreemptions;
    this.outbox = books.outbox();
    this.effects = books.effects();
  }

  /** The quota of a queue, or what decides about its reservations, has changed. */
  void check(ClusterQueueEntry entry, Instant now) {
    update(entry, quotas.overcommittedAround(entry.name), now);
  }

  /** Nothing but the usage of a queue has changed. */
  void checkUsage(ClusterQueueEntry entry, Instant now) {
    update(entry, quotas.overcommittedBy(entry.name), now);
  }

  private void update(ClusterQueueEntry entry, boolean exceeded, Instant now) {
    if (exceeded || deferredPreemptions.any()) {
      List<ClusterQueueEntry> relatives = quotas.relatives(entry.name);
      deferredPreemptions.update(relatives, now);
      mark(relatives);
    }
  }

  private void mark(List<ClusterQueueEntry> relatives) {
    // The quota that a deferred preemption is going to free counts as free.
    QuotaProjections quotaProjections =
        QuotaProjections.of(quotas.tree(), deferredPreemptions.open());
    QuotaTree tree = quotaProjections.settled();
    QuotaTree.Trial trial = tree.trial();
    Set<ObjectKey> spared = quotaProjections.preemptorsAndVictims();
    for (ObjectKey key : deferredPreemptions.unsatisfiable()) {
      spared.add(key);
      queues
          .workload(key)
          .map(holder -> holder.holding)
          .ifPresent(holding -> trial.release(holding.clusterQueue(), holding.usage()));
    }
    for (ObjectKey key : spared) {
      if (outbox.overcommitted(key)) {
        outbox.overcommitted(key, false);
        effects.wake(key);
      }
    }
    List<WorkloadEntry> revocable =
        relatives.stream()
            .flatMap(queue -> queue.holders.keySet().stream())
            .flatMap(key -> queues.workload(key).stream())
            .filter(holder -> holder.holding != null && !holder.holding.admitted())
            .filter(holder -> !spared.contains(holder.key))
            .sorted(
                Comparator.comparing((WorkloadEntry holder) -> !borrows(tree, holder))
                    .thenComparing(Comparator.comparing(WorkloadEntry::reservedSince).reversed()))
            .toList();
    for (WorkloadEntry holder : revocable) {
      Holding holding = Objects.requireNonNull(holder.holding);
      boolean exceeds =
          holding.usage().asMap().keySet().stream()
              .anyMatch(key -> trial.available(holding.clusterQueue(), key) < 0);
      if (exceeds) {
        trial.release(holding.clusterQueue(), holding.usage());
      }
      if (exceeds != outbox.overcommitted(holder.key)) {
        outbox.overcommitted(holder.key, exceeds);
        effects.wake(holder.key);
      }
    }
  }

  private static boolean borrows(QuotaTree tree, WorkloadEntry holder) {
    Holding holding = Objects.requireNonNull(holder.holding);
    NodeId queue = NodeId.queue(holding.clusterQueue());
    return holding.usage().asMap().keySet().stream().anyMatch(key -> tree.borrowing(queue, key));
  }
}
