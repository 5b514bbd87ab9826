// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.NoFitReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Enters the scheduler's decisions into the books and requests the writes that follow from them.
 * Belongs to the State's thread.
 */
final class DecisionRecorder {
  private final SchedulingBooks books;
  private final QueueIndex queues;
  private final Outbox outbox;
  private final State.Effects effects;
  private final HeadSelector heads;
  private final Ledger ledger;
  private final DeferredPreemptions deferredPreemptions;
  private final Preemptors preemptors;
  private final PreemptionOrders orders;
  private final Cancellations cancellations;
  private final PendingReasonNotifier notifier;

  DecisionRecorder(
      SchedulingBooks books,
      HeadSelector heads,
      Ledger ledger,
      DeferredPreemptions deferredPreemptions,
      PendingReasonNotifier notifier) {
    this.books = books;
    this.queues = books.queues();
    this.outbox = books.outbox();
    this.effects = books.effects();
    this.heads = heads;
    this.ledger = ledger;
    this.deferredPreemptions = deferredPreemptions;
    this.preemptors = books.preemptors();
    this.orders = new PreemptionOrders(books);
    this.cancellations = new Cancellations(books, ledger);
    this.notifier = notifier;
  }

  void record(Decision decision, Instant now) {
    switch (decision) {
      case Decision.ReserveQuota reserveQuota -> reserve(reserveQuota, now);
      case Decision.Preempt preempt -> preempt(preempt);
      case Decision.Skipped skipped -> skip(skipped);
      case Decision.Inadmissible refused -> refuse(refused);
    }
  }

  /** To be called after the decisions of a cycle. */
  void cycleEnds(Instant now) {
    cancellations.release(now);
  }

  private void reserve(Decision.ReserveQuota reserveQuota, Instant now) {
    ObjectKey key = reserveQuota.workload().key();
    notifier.headReserved(queues.clusterQueueOf(reserveQuota.clusterQueue()));
    inScopeOf(reserveQuota.workload()).forEach(queue -> queue.reasons.behindInScope = null);
    queues
        .workload(key)
        .ifPresent(
            entry -> {
              entry.livelockGuard.reserved(
                  preemptors.contains(reserveQuota.workload())
                      || !reserveQuota.deferred().isEmpty());
              preemptors.ends(key);
              entry.tookFreeQuota = reserveQuota.deferred().isEmpty();
              deferredPreemptions.promised(key, reserveQuota.deferred());
              outbox.withdrawPreemptions(key);
              entry.assumed = outbox.offer(reserveQuota);
              ledger.refresh(entry, now);
              effects.wake(key);
            });
    ClusterQueueEntry queue = queues.clusterQueueOf(reserveQuota.clusterQueue());
    if (!queue.pending.blockingHeads().isEmpty()) {
      // This Workload passed one for which the queue keeps quota; less can be kept for it now.
      books.quotas().tryOthersAgain(queue);
    }
  }

  private void preempt(Decision.Preempt preempt) {
    ObjectKey key = preempt.workload().key();
    ClusterQueueEntry queue = queues.clusterQueueOf(preempt.clusterQueue());
    // The quota of the victims is for the preemptor: no Workload behind it may pass meanwhile.
    setAside(queue, preempt.workload(), true, true);
    preemptors.begins(queue, preempt.workload());
    List<Target> running = cancellations.cancel(preempt.targets());
    orders.order(preempt.clusterQueue(), preempt.workload(), running);
    notifier.headPreempts(queue, preempt);
    notifyScope(preempt.workload(), queue);
    notifier.tried(key, new PendingReason(Decision.Preempt.REASON, preempt.message()));
    effects.queueChanged(ObjectKey.cluster(preempt.clusterQueue()));
  }

  private void refuse(Decision.Inadmissible refused) {
    ObjectKey key = refused.workload().key();
    outbox.withdrawPreemptions(key);
    preemptors.ends(key);
    ClusterQueueEntry queue = queues.clusterQueueOf(refused.clusterQueue());
    queue.blockedForGood =
        refused.blocking() && NoFitReason.isForGood(refused.reason()) ? refused : null;
    setAside(
        queue,
        refused.workload(),
        refused.reason().equals(NoFitReason.WAITING_FOR_QUOTA.conditionReason()),
        refused.blocking());
    notifier.headRefused(queue, refused);
    notifyScope(refused.workload(), queue);
    notifier.tried(key, new PendingReason(refused.reason(), refused.message()));
    effects.queueChanged(ObjectKey.cluster(refused.clusterQueue()));
  }

  private void skip(Decision.Skipped skipped) {
    ClusterQueueEntry queue = queues.clusterQueueOf(skipped.clusterQueue());
    ObjectKey key = skipped.workload().key();
    outbox.withdrawPreemptions(key);
    if (skipped.again() || skipped.keptFor().stream().anyMatch(this::keepsNothing)) {
      queue.pending.stopBlocking(skipped.workload());
      return;
    }
    preemptors.withdrawn(queue, skipped.workload());
    setAside(
        queue,
        skipped.workload(),
        true,
        queue.strict() || skipped.why() == Decision.Skip.FITS_AFTER_OTHERS);
    notifier.tried(key, new PendingReason(skipped.why().reason(), skipped.why().message()));
    effects.queueChanged(ObjectKey.cluster(queue.name));
  }

  /**
   * Whether a refused Workload is set aside by now and takes no part in the next cycle. That bounds
   * how often the same decision comes out by the number of shapes.
   */
  private boolean keepsNothing(Decision.Inadmissible refused) {
    return !queues
        .clusterQueueOf(refused.clusterQueue())
        .pending
        .blockingHeads()
        .contains(refused.workload());
  }

  /**
   * Keeps a head that got nothing, and the Workloads that must not pass it, from being tried again
   * in vain.
   *
   * @param waitsForQuota whether it may get quota later; a Workload that never can doesn't hold up
   *     its admission scope
   * @param blocking whether no Workload of its queue may pass it
   */
  private void setAside(
      ClusterQueueEntry queue, QueuedWorkload head, boolean waitsForQuota, boolean blocking) {
    boolean refusedBefore = queue.pending.isScopeBlockedBy(head);
    List<QueuedWorkload> others = new ArrayList<>(queue.pending.blockingHeads());
    others.remove(head);
    if (waitsForQuota && (refusedBefore || heads.scopeOf(head).isPresent())) {
      queue.pending.blockScopeAt(head);
    } else if (blocking) {
      queue.pending.blockAt(head);
    } else {
      queue.pending.stopBlocking(head);
      queue.pending.markInadmissible(head);
    }
    if (!queue.pending.blockingHeads().containsAll(others)) {
      // The head replaced a Workload for which more quota may have been kept.
      books.quotas().tryOthersAgain(queue);
    }
  }

  /** Workloads that exceed their ClusterQueue's quota wait behind the first of their scope. */
  private void notifyScope(QueuedWorkload head, ClusterQueueEntry of) {
    if (of.pending.isScopeBlockedBy(head)) {
      String scope = heads.scopeOf(head).map(NodeId::name).orElse("");
      inScopeOf(head).forEach(queue -> notifier.scopeBlocked(queue, head, of.name, scope));
    }
  }

  /** The ClusterQueues of the Cohort that a head was selected for; none if it wasn't. */
  private Stream<ClusterQueueEntry> inScopeOf(QueuedWorkload head) {
    return heads.scopeOf(head).stream()
        .flatMap(cohort -> books.quotas().tree().queuesUnder(cohort).stream())
        .flatMap(name -> queues.clusterQueue(name).stream());
  }
}
