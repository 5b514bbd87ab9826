// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.scheduler.Decision;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has the reason why a Workload waits written into its status: what came out when it was tried, or
 * that an equivalent Workload was refused, or the head of its StrictFIFO queue was. Belongs to the
 * State's thread.
 *
 * <p>This costs the API server one write per Workload that waits long enough for a person to look
 * at it, and at most five of them a second; one a second while more Workloads than that get quota,
 * since the API server is busy then, and the others don't wait long. Workloads that were tried come
 * first, then those that wait longest; a Workload that gets quota meanwhile costs nothing. The
 * reason of a Workload that wasn't tried has no numbers that change with the usage, and a group is
 * notified again only when its reason changes.
 */
final class PendingReasonNotifier {
  /** How long a Workload that wasn't tried waits before its reason is written. */
  private static final Duration DELAY = Duration.ofSeconds(15);

  /** How long a Workload that was tried waits: the result of the first try changes soon. */
  private static final Duration DELAY_OF_TRIED = Duration.ofSeconds(1);

  /** What one notification takes from the budget: five a second. */
  private static final Duration COST = Duration.ofMillis(200);

  /** How much of the budget accumulates: small queues are notified without any further delay. */
  private static final Duration MAX_BUDGET = COST.multipliedBy(100);

  /** What one takes while {@link #BUSY} Workloads and more get quota within that time. */
  private static final Duration COST_WHEN_BUSY = Duration.ofSeconds(1);

  private static final int BUSY = 5;

  private static final Duration BATCH_INTERVAL = Duration.ofSeconds(1);

  private static final String WAITING_FOR_QUOTA = "WaitingForQuota";

  private final Outbox outbox;
  private final State.Effects effects;
  private final InstantSource steady;

  /** Workloads that were tried and don't know the result yet, longest waiting first. */
  private final Map<ObjectKey, Notification> tried = new LinkedHashMap<>();

  /** Workloads that weren't tried and don't know their reason yet, longest waiting first. */
  private final Map<ObjectKey, Notification> untried = new LinkedHashMap<>();

  /** When the last {@link #BUSY} Workloads got quota. */
  private final Deque<Instant> reserved = new ArrayDeque<>();

  /** The budget is spent up to here. */
  private Instant spentUntil = Instant.EPOCH;

  /** When the next batch is due; null if no notification is open. */
  private @Nullable Instant nextBatch;

  private record Notification(PendingReason reason, Instant since) {}

  /**
   * A notifier with nothing to tell.
   *
   * @param steady for its delays
   */
  PendingReasonNotifier(Outbox outbox, State.Effects effects, InstantSource steady) {
    this.outbox = outbox;
    this.effects = effects;
    this.steady = steady;
  }

  /** A head was refused, and with it the Workloads that wait because of it. */
  void headRefused(ClusterQueueEntry queue, Decision.Inadmissible refused) {
    QueuedWorkload head = refused.workload();
    if (refused.blocking()) {
      blockQueue(queue, head.key(), behindTheHead(queue));
    } else {
      PendingReason reason = ofEquivalents(refused);
      queue.reasons.blocked = null;
      PendingReason before = queue.reasons.byShape.put(head.equivalence(), reason);
      notifyIfChanged(queue.pending.equivalentTo(head), head.key(), reason, before);
    }
  }

  /** A head waits for the quota of its victims, and all other Workloads of its queue behind it. */
  void headPreempts(ClusterQueueEntry queue, Decision.Preempt preempt) {
    blockQueue(queue, preempt.workload().key(), behindThePreemptor(queue.name));
  }

  private void blockQueue(ClusterQueueEntry queue, ObjectKey head, PendingReason reason) {
    PendingReason before = queue.reasons.blocked;
    queue.reasons.block(reason);
    notifyIfChanged(queue.pending.workloads().stream(), head, reason, before);
  }

  /** A head got quota: what held back the Workloads behind a preemptor is over. */
  void headReserved(ClusterQueueEntry queue) {
    reserved.addLast(steady.instant());
    if (reserved.size() > BUSY) {
      reserved.removeFirst();
    }
    PendingReason over = behindThePreemptor(queue.name);
    if (over.equals(queue.reasons.blocked)) {
      queue.reasons.blocked = null;
      queue.pending.workloads().stream()
          .map(QueuedWorkload::key)
          .filter(key -> isAboutToHear(key, over))
          .forEach(untried::remove);
    }
  }

  private boolean isAboutToHear(ObjectKey workload, PendingReason reason) {
    Notification next = untried.get(workload);
    return next != null && next.reason().equals(reason);
  }

  /** No Workload gets quota while pods of others get ready, or that is over. */
  void startGateChanged(ClusterQueueEntry queue, boolean closed) {
    PendingReason reason = StartGate.PENDING_REASON;
    if (closed && queue.reasons.blocked == null) {
      queue.reasons.block(reason);
      queue.pending.workloads().forEach(other -> announce(other.key(), reason));
    } else if (!closed && reason.equals(queue.reasons.blocked)) {
      queue.reasons.blocked = null;
      queue
          .pending
          .workloads()
          .forEach(
              other -> {
                untried.remove(other.key());
                outbox.withdrawInherited(other.key());
              });
    }
  }

  /**
   * Notes that a scope is blocked: a Workload that exceeds a queue's own quota waits behind the
   * first of its admission scope.
   *
   * @param first of the scope
   * @param clusterQueue of the first
   * @param cohort that is the scope
   */
  void scopeBlocked(
      ClusterQueueEntry queue, QueuedWorkload first, String clusterQueue, String cohort) {
    PendingReason reason = behindTheFirst(clusterQueue, cohort);
    PendingReason before = queue.reasons.behindInScope;
    queue.reasons.behindInScope = reason;
    notifyIfChanged(queue.pending.exceedingNominal(), first.key(), reason, before);
  }

  private void notifyIfChanged(
      Stream<QueuedWorkload> group,
      ObjectKey head,
      PendingReason reason,
      @Nullable PendingReason before) {
    if (!reason.equals(before)) {
      group
          .filter(other -> !other.key().equals(head))
          .forEach(other -> announce(other.key(), reason));
    }
  }

  /** A Workload has begun to wait in a queue, perhaps behind others that were refused. */
  void joined(ClusterQueueEntry queue, QueuedWorkload workload) {
    PendingReason reason = queue.reasons.of(workload);
    if (reason != null) {
      announce(workload.key(), reason);
    }
  }

  /** A Workload no longer waits in a queue. */
  void left(ClusterQueueEntry queue, QueuedWorkload workload) {
    untried.remove(workload.key());
    tried.remove(workload.key());
    if (queue.pending.equivalentTo(workload).findAny().isEmpty()) {
      queue.reasons.byShape.remove(workload.equivalence());
    }
    if (queue.pending.size() == 0) {
      queue.reasons.blocked = null;
    }
  }

  /** A Workload was tried itself; it is notified of the result before all others. */
  void tried(ObjectKey workload, PendingReason reason) {
    untried.remove(workload);
    if (outbox.hasPendingReason(workload, reason)) {
      tried.remove(workload);
    } else {
      enqueue(tried, workload, reason, DELAY_OF_TRIED);
    }
  }

  private void announce(ObjectKey workload, PendingReason reason) {
    if (outbox.inheritsPendingReason(workload, reason)) {
      untried.remove(workload);
      return;
    }
    enqueue(untried, workload, reason, DELAY);
  }

  private void enqueue(
      Map<ObjectKey, Notification> list, ObjectKey workload, PendingReason reason, Duration delay) {
    Instant now = steady.instant();
    Notification before = list.get(workload);
    list.put(workload, new Notification(reason, before == null ? now : before.since()));
    callAt(now.plus(delay), now);
  }

  private void callAt(Instant when, Instant now) {
    if (nextBatch == null || when.isBefore(nextBatch)) {
      nextBatch = when;
      effects.scheduleAfter(Duration.between(now, when));
    }
  }

  /**
   * Notifies the Workloads that have waited long enough, as many as the budget allows.
   *
   * @param time by the clock of the workers, who write it from then on
   */
  void notifyDue(Instant time) {
    Instant now = steady.instant();
    if (nextBatch == null || now.isBefore(nextBatch)) {
      return;
    }
    nextBatch = null;
    Instant earliest = now.minus(MAX_BUDGET);
    spentUntil = spentUntil.isBefore(earliest) ? earliest : spentUntil;
    notifyDue(tried, DELAY_OF_TRIED, now, (key, reason) -> writeOwn(key, reason, time));
    notifyDue(untried, DELAY, now, (key, reason) -> writeInherited(key, reason, time));
  }

  private void notifyDue(
      Map<ObjectKey, Notification> list,
      Duration delay,
      Instant now,
      BiConsumer<ObjectKey, PendingReason> write) {
    Iterator<Map.Entry<ObjectKey, Notification>> waiting = list.entrySet().iterator();
    while (waiting.hasNext()) {
      Map.Entry<ObjectKey, Notification> longest = waiting.next();
      Instant due = longest.getValue().since().plus(delay);
      if (now.isBefore(due) || now.isBefore(spentUntil)) {
        Instant soonest = now.plus(BATCH_INTERVAL);
        callAt(due.isAfter(soonest) ? due : soonest, now);
        return;
      }
      waiting.remove();
      spentUntil = spentUntil.plus(cost(now));
      write.accept(longest.getKey(), longest.getValue().reason());
    }
  }

  private Duration cost(Instant now) {
    boolean busy =
        reserved.size() == BUSY && reserved.getFirst().isAfter(now.minus(COST_WHEN_BUSY));
    return busy ? COST_WHEN_BUSY : COST;
  }

  private void writeOwn(ObjectKey workload, PendingReason reason, Instant from) {
    effects.wakeAt(workload, outbox.pendingReason(workload, due(reason, from)));
  }

  private void writeInherited(ObjectKey workload, PendingReason reason, Instant from) {
    outbox.inheritPendingReason(workload, due(reason, from));
    effects.wake(workload);
  }

  private static Outbox.DuePendingReason due(PendingReason reason, Instant from) {
    return new Outbox.DuePendingReason(reason.reason(), reason.message(), from);
  }

  private static PendingReason behindTheHead(ClusterQueueEntry queue) {
    return new PendingReason(
        "PendingEvaluation",
        "Waits behind the head of ClusterQueue "
            + queue.name
            + ", which was not admitted (StrictFIFO"
            + (queue.pending.servesByLocalQueue()
                ? ", the LocalQueue of least usage first)"
                : ")"));
  }

  private static PendingReason behindTheFirst(String clusterQueue, String cohort) {
    return new PendingReason(
        "PendingEvaluation",
        "Needs more than its ClusterQueue's own quota and waits behind a workload of ClusterQueue "
            + clusterQueue
            + ", which comes first in Cohort "
            + cohort
            + " (by least usage, then priority, then age)");
  }

  private static PendingReason behindThePreemptor(String clusterQueue) {
    return new PendingReason(
        "PendingEvaluation",
        "Waits behind a workload of ClusterQueue "
            + clusterQueue
            + " that preempts others and gets their quota first");
  }

  private static PendingReason ofEquivalents(Decision.Inadmissible refused) {
    return refused.reason().equals(WAITING_FOR_QUOTA)
        ? new PendingReason(
            WAITING_FOR_QUOTA,
            "Bypassed scheduling evaluation because an equivalent workload recently failed:"
                + " insufficient unused quota")
        : new PendingReason(refused.reason(), refused.message());
  }
}
