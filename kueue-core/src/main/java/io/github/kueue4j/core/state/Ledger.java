// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.state.QueueEligibility.Misconfigured;
import io.github.kueue4j.core.state.QueueEligibility.QueuePlace;
import io.github.kueue4j.core.state.QueueEligibility.Waiting;
import io.github.kueue4j.core.state.WorkloadEntry.Holding;
import io.github.kueue4j.core.status.QueueCounts;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps for every Workload the quota that it holds and the queue in which it waits, and the counts
 * of the queues that follow from both. Belongs to the State's thread.
 *
 * <p>When a Workload gives up quota, or quota is no longer kept for it, the Workloads that found
 * none before are tried again.
 */
final class Ledger {
  private final SchedulingBooks books;
  private final QueueIndex queues;
  private final Quotas quotas;
  private final Outbox outbox;
  private final State.Effects effects;
  private final DeferredPreemptions deferredPreemptions;
  private final PendingReasonNotifier notifier;
  private final QueueEligibility eligibility;
  private final Overcommitment overcommitment;

  Ledger(
      SchedulingBooks books,
      DeferredPreemptions deferredPreemptions,
      PendingReasonNotifier notifier) {
    this.books = books;
    this.queues = books.queues();
    this.quotas = books.quotas();
    this.outbox = books.outbox();
    this.effects = books.effects();
    this.deferredPreemptions = deferredPreemptions;
    this.notifier = notifier;
    this.eligibility = new QueueEligibility(books);
    this.overcommitment = new Overcommitment(books, deferredPreemptions);
  }

  /** Finds the reservations to revoke after quota has changed. */
  Overcommitment overcommitment() {
    return overcommitment;
  }

  /** Brings what is counted for a Workload in line with its newest version. */
  void refresh(WorkloadEntry entry, Instant now) {
    hold(entry, entry.currentHolding().orElse(null), now);
    books.startGate().update(entry);
    refreshCandidate(entry, now);
    deferredPreemptions.workloadSeen(entry.key);
    books.usage().refreshed(entry, now);
    QueuePlace place = eligibility.of(entry).orElse(null);
    await(entry, place instanceof Waiting waiting ? waiting : null);
    if (place instanceof Misconfigured invalid) {
      // After what ends the waiting, which forgets why it has waited until now.
      outbox.pendingReason(
          entry.key,
          new Outbox.DuePendingReason(WorkloadConditions.MISCONFIGURED, invalid.problem(), now));
      effects.wake(entry.key);
    }
    backOff(entry, eligibility.backsOffIn(entry).orElse(null));
  }

  private void hold(WorkloadEntry entry, @Nullable Holding next, Instant now) {
    Holding previous = entry.holding;
    if (Objects.equals(previous, next)) {
      return;
    }
    entry.holding = null;
    if (previous != null) {
      release(entry.key, previous);
    }
    if (next == null) {
      entry.tookFreeQuota = false;
      deferredPreemptions.quotaReleased(entry.key);
    }
    entry.holding = next;
    if (next != null) {
      ClusterQueueEntry queue = queues.clusterQueueOf(next.clusterQueue());
      queue.counts = queue.counts.plus(next.usage(), next.admitted());
      quotas.reserve(queue.name, next.usage());
      queue.holders.put(entry.key, candidate(entry, next));
      LocalQueueEntry local = queues.localQueueOf(next.localQueue());
      local.counts = local.counts.plus(next.usage(), next.admitted());
    }
    if (previous != null) {
      ClusterQueueEntry queue = queues.clusterQueueOf(previous.clusterQueue());
      boolean freed =
          next == null
              || !next.clusterQueue().equals(previous.clusterQueue())
              || !next.usage().equals(previous.usage());
      if (freed) {
        quotas.tryAgain(queue.name);
      }
      outbox.overcommitted(entry.key, false);
      overcommitment.checkUsage(queue, now);
      effects.queueChanged(ObjectKey.cluster(previous.clusterQueue()));
      effects.queueChanged(previous.localQueue());
      queues.forgetIfUnused(queue);
    }
    if (next != null) {
      // The scheduler reserves only what fits; a reservation from before a restart, or by another
      // client, need not fit.
      overcommitment.checkUsage(queues.clusterQueueOf(next.clusterQueue()), now);
      effects.queueChanged(ObjectKey.cluster(next.clusterQueue()));
      effects.queueChanged(next.localQueue());
    }
  }

  /** Updates what preemption knows of a holder of quota. */
  private void refreshCandidate(WorkloadEntry entry, Instant now) {
    Holding holding = entry.holding;
    if (holding == null) {
      return;
    }
    ClusterQueueEntry queue = queues.clusterQueueOf(holding.clusterQueue());
    Candidate current = candidate(entry, holding);
    Candidate before = queue.holders.put(entry.key, current);
    if (deferredPreemptions.any() && !current.equals(before)) {
      overcommitment.check(queue, now);
    }
    if (before != null && before.priority() != current.priority()) {
      // Waiting Workloads of a higher priority may preempt this one now.
      quotas.tryAgain(queue.name);
    }
  }

  private Candidate candidate(WorkloadEntry entry, Holding holding) {
    return entry.candidate(
        holding,
        books.keepsPlace(holding.clusterQueue()),
        books.settings().gates().priorityBoost());
  }

  private void release(ObjectKey key, Holding held) {
    ClusterQueueEntry queue = queues.clusterQueueOf(held.clusterQueue());
    LocalQueueEntry local = queues.localQueueOf(held.localQueue());
    queue.holders.remove(key);
    if (queue.counts.reservation().saturated()) {
      // Nothing can be subtracted from a sum that was cut off at the largest number: count anew.
      // Only an admission written by hand gets there.
      queue.counts = counted(queue.holders.keySet());
      quotas.count(queue.name, queue.counts.reservation());
      local.counts = counted(local.members);
    } else {
      queue.counts = queue.counts.minus(held.usage(), held.admitted());
      quotas.release(queue.name, held.usage());
      local.counts = local.counts.minus(held.usage(), held.admitted());
    }
  }

  private QueueCounts counted(Set<ObjectKey> keys) {
    QueueCounts counts = QueueCounts.none();
    for (ObjectKey key : keys) {
      Holding holding = queues.workload(key).map(entry -> entry.holding).orElse(null);
      if (holding != null) {
        counts = counts.plus(holding.usage(), holding.admitted());
      }
    }
    return counts;
  }

  private void await(WorkloadEntry entry, @Nullable Waiting next) {
    String previous = entry.waitsIn;
    String target = next == null ? null : next.clusterQueue();
    if (previous != null && !previous.equals(target)) {
      books.preemptors().ends(entry.key);
      leave(entry.key, previous);
    }
    if (next != null) {
      join(next, previous);
    } else if (previous != null) {
      outbox.forgetPendingReason(entry.key);
      outbox.withdrawPreemptions(entry.key);
    }
    if ((previous == null) != (target == null) && entry.localQueue != null) {
      LocalQueueEntry local = queues.localQueueOf(entry.localQueue);
      local.pending += target == null ? -1 : 1;
      effects.queueChanged(entry.localQueue);
    }
    entry.waitsIn = target;
  }

  private void backOff(WorkloadEntry entry, @Nullable String target) {
    String previous = entry.backsOffIn;
    if (Objects.equals(previous, target)) {
      return;
    }
    entry.backsOffIn = target;
    countBackoff(previous, -1);
    countBackoff(target, 1);
    if (entry.localQueue != null) {
      queues.localQueueOf(entry.localQueue).backoff +=
          (target == null ? 0 : 1) - (previous == null ? 0 : 1);
      effects.queueChanged(entry.localQueue);
    }
  }

  private void countBackoff(@Nullable String clusterQueue, int change) {
    if (clusterQueue != null) {
      ClusterQueueEntry queue = queues.clusterQueueOf(clusterQueue);
      queue.backoff += change;
      effects.queueChanged(ObjectKey.cluster(clusterQueue));
      queues.forgetIfUnused(queue);
    }
  }

  private void leave(ObjectKey key, String clusterQueue) {
    ClusterQueueEntry queue = queues.clusterQueueOf(clusterQueue);
    QueuedWorkload left = queue.pending.get(key);
    boolean heldBackOthers = holdsBackOthers(queue, left);
    queue.pending.remove(key);
    if (heldBackOthers) {
      quotas.tryAgain(queue.name);
    }
    if (left != null) {
      notifier.left(queue, left);
    }
    effects.queueChanged(ObjectKey.cluster(clusterQueue));
    queues.forgetIfUnused(queue);
  }

  private void join(Waiting next, @Nullable String previous) {
    ClusterQueueEntry queue = queues.clusterQueueOf(next.clusterQueue());
    QueuedWorkload workload = next.workload();
    QueuedWorkload before = queue.pending.get(workload.key());
    boolean heldBackOthers = holdsBackOthers(queue, before);
    if (before != null && !before.uid().equals(workload.uid())) {
      // Another one of this name: that the earlier one was deleted wasn't seen.
      books.preemptors().ends(workload.key());
    }
    queue.pending.put(workload);
    if (before == null && queue.preemptsNewer()) {
      // It may be older than the ones that were refused: it waited out a delay, or was evicted.
      queue.pending.retryIfFirst(workload);
    }
    if (heldBackOthers && !workload.equals(before)) {
      quotas.tryAgain(queue.name);
    }
    if (before == null || !before.equivalence().equals(workload.equivalence())) {
      if (before != null) {
        notifier.left(queue, before);
      }
      notifier.joined(queue, workload);
    }
    if (!next.clusterQueue().equals(previous)) {
      effects.queueChanged(ObjectKey.cluster(next.clusterQueue()));
    }
  }

  /** Whether other Workloads got nothing because quota was kept for this one. */
  private static boolean holdsBackOthers(
      ClusterQueueEntry queue, @Nullable QueuedWorkload waiting) {
    return waiting != null && queue.pending.blockingHeads().contains(waiting);
  }

  /** The Workload names another LocalQueue, or none. */
  void moveTo(WorkloadEntry entry, @Nullable ObjectKey queue, Instant now) {
    ObjectKey previous = entry.localQueue;
    if (Objects.equals(previous, queue)) {
      return;
    }
    if (previous != null) {
      await(entry, null);
      backOff(entry, null);
      hold(entry, null, now);
      books.startGate().update(entry);
      books.usage().refreshed(entry, now);
      queues.localQueueOf(previous).members.remove(entry.key);
    }
    entry.localQueue = queue;
    if (queue != null) {
      queues.localQueueOf(queue).members.add(entry.key);
    }
  }
}
