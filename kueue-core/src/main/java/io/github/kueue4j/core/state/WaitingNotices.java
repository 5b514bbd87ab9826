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
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.scheduler.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells Workloads why they wait: what came out when they were tried, or that another one that asks
 * for the same was refused, or the head of their StrictFIFO queue was. Belongs to the State's
 * thread.
 *
 * <p>It costs the API server one write per Workload that waits long enough for somebody to look,
 * and no more than five of them a second: those that were tried are told first, then those that
 * wait longest, and whoever gets quota meanwhile costs nothing. To those that weren't tried the
 * wording has no numbers that change with the usage, and a group is told anew only when the reason
 * is another one.
 */
final class WaitingNotices {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** What telling one costs: five a second. */
  private static final Duration COST = Duration.ofMillis(200);

  /** What may be saved up: where few wait, nobody waits for the budget. */
  private static final Duration SAVINGS = COST.multipliedBy(100);

  /** A verdict that changes while it is looked at helps nobody. */
  private static final Duration PATIENCE_OF_TRIED = Duration.ofSeconds(1);

  /** They are told in batches. */
  private static final Duration BATCH_INTERVAL = Duration.ofSeconds(1);

  private static final String WAITING_FOR_QUOTA = "WaitingForQuota";

  private static final Refusal BEHIND_A_START = new Refusal(StartGate.REASON, StartGate.MESSAGE);

  private final Outbox outbox;
  private final State.Effects effects;

  /** Those that were tried themselves and are to be told what came out, longest waiting first. */
  private final Map<ObjectKey, Untold> tried = new LinkedHashMap<>();

  /** The others that are to be told, longest waiting first. */
  private final Map<ObjectKey, Untold> untold = new LinkedHashMap<>();

  /** The budget is spent up to here. */
  private Instant spentUntil = Instant.EPOCH;

  /** When the next batch is due; null if nobody is to be told. */
  private @Nullable Instant nextBatch;

  private record Untold(Refusal refusal, Instant since) {}

  /**
   * What is said to those that weren't tried.
   *
   * @param reason of the QuotaReserved=False condition
   * @param message the same in words
   */
  record Refusal(String reason, String message) {}

  WaitingNotices(Outbox outbox, State.Effects effects) {
    this.outbox = outbox;
    this.effects = effects;
  }

  /** A head was refused, and with it those that wait because of it. */
  void refused(ClusterQueueEntry queue, Decision.Inadmissible refused, Instant now) {
    QueuedWorkload head = refused.workload();
    if (refused.blocking()) {
      tellQueue(queue, head.key(), behindTheHead(queue), now);
    } else {
      Refusal refusal = likewise(refused);
      queue.blocked = null;
      Refusal before = queue.refusals.put(head.shape(), refusal);
      tellUnlessTold(queue.pending.equivalentTo(head), head.key(), refusal, before, now);
    }
  }

  private void tellUnlessTold(
      Stream<QueuedWorkload> group,
      ObjectKey head,
      Refusal refusal,
      @Nullable Refusal before,
      Instant now) {
    if (!refusal.equals(before)) {
      group
          .filter(other -> !other.key().equals(head))
          .forEach(other -> tell(other.key(), refusal, now));
    }
  }

  /** A head waits for those that it preempts, and everybody else behind it. */
  void preempting(ClusterQueueEntry queue, Decision.Preempt preempt, Instant now) {
    tellQueue(queue, preempt.workload().key(), behindThePreemptor(queue.name), now);
  }

  /** Nobody gets quota while somebody starts, or the others have their turn again. */
  void waitForStart(ClusterQueueEntry queue, boolean closed, Instant now) {
    if (closed && queue.blocked == null) {
      block(queue, BEHIND_A_START);
      queue.pending.workloads().forEach(other -> tell(other.key(), BEHIND_A_START, now));
    } else if (!closed && BEHIND_A_START.equals(queue.blocked)) {
      queue.blocked = null;
      queue
          .pending
          .workloads()
          .forEach(
              other -> {
                untold.remove(other.key());
                outbox.standDown(other.key());
              });
    }
  }

  /** A head got quota: what held back those behind a preempting one is over. */
  void passed(ClusterQueueEntry queue) {
    Refusal over = behindThePreemptor(queue.name);
    if (over.equals(queue.blocked)) {
      queue.blocked = null;
      queue.pending.workloads().stream()
          .map(QueuedWorkload::key)
          .filter(key -> isAboutToHear(key, over))
          .forEach(untold::remove);
    }
  }

  private boolean isAboutToHear(ObjectKey workload, Refusal refusal) {
    Untold next = untold.get(workload);
    return next != null && next.refusal().equals(refusal);
  }

  /**
   * All that wait hear another reason than those of their shapes, which they'd have to be told
   * again.
   */
  private static void block(ClusterQueueEntry queue, Refusal refusal) {
    queue.blocked = refusal;
    queue.refusals.clear();
  }

  /** What sticks out of a queue's own quota waits behind the first one of its scope. */
  void behindInScope(
      ClusterQueueEntry queue,
      QueuedWorkload first,
      String clusterQueue,
      String cohort,
      Instant now) {
    Refusal refusal = behindTheFirst(clusterQueue, cohort);
    Refusal before = queue.behindInScope;
    queue.behindInScope = refusal;
    tellUnlessTold(queue.pending.outside(), first.key(), refusal, before, now);
  }

  private void tellQueue(ClusterQueueEntry queue, ObjectKey head, Refusal refusal, Instant now) {
    Refusal before = queue.blocked;
    block(queue, refusal);
    tellUnlessTold(queue.pending.workloads().stream(), head, refusal, before, now);
  }

  /** A Workload has begun to wait in a queue, perhaps behind others that were refused. */
  void joined(ClusterQueueEntry queue, QueuedWorkload workload, Instant now) {
    Refusal refusal = queue.blocked == null ? queue.refusals.get(workload.shape()) : queue.blocked;
    if (refusal == null) {
      refusal = queue.behindInScope;
    }
    if (refusal != null) {
      tell(workload.key(), refusal, now);
    }
  }

  /** A Workload was tried itself and is told what came out, before all others. */
  void tried(ObjectKey workload, Refusal refusal, Instant now) {
    untold.remove(workload);
    if (outbox.says(workload, refusal.reason(), refusal.message())) {
      tried.remove(workload);
    } else {
      await(tried, workload, refusal, now, PATIENCE_OF_TRIED);
    }
  }

  /** A Workload waits no longer in a queue. */
  void left(ClusterQueueEntry queue, QueuedWorkload workload) {
    untold.remove(workload.key());
    tried.remove(workload.key());
    if (queue.pending.equivalentTo(workload).findAny().isEmpty()) {
      queue.refusals.remove(workload.shape());
    }
    if (queue.pending.size() == 0) {
      queue.blocked = null;
    }
  }

  private void tell(ObjectKey workload, Refusal refusal, Instant now) {
    if (outbox.standsBy(workload, refusal.reason(), refusal.message())) {
      untold.remove(workload);
      return;
    }
    await(untold, workload, refusal, now, PATIENCE);
  }

  private void await(
      Map<ObjectKey, Untold> list,
      ObjectKey workload,
      Refusal refusal,
      Instant now,
      Duration patience) {
    Untold before = list.get(workload);
    list.put(workload, new Untold(refusal, before == null ? now : before.since()));
    callAt(now.plus(patience));
  }

  private void callAt(Instant when) {
    if (nextBatch == null || when.isBefore(nextBatch)) {
      nextBatch = when;
      effects.scheduleAt(when);
    }
  }

  /** Tells those that have waited long enough, as many as the budget allows. */
  void tellWhoWaitedLong(Instant now) {
    if (nextBatch == null || now.isBefore(nextBatch)) {
      return;
    }
    nextBatch = null;
    Instant earliest = now.minus(SAVINGS);
    spentUntil = spentUntil.isBefore(earliest) ? earliest : spentUntil;
    tellDue(tried, PATIENCE_OF_TRIED, now, this::tellTried);
    tellDue(untold, PATIENCE, now, this::tellUntried);
  }

  private void tellDue(
      Map<ObjectKey, Untold> list,
      Duration patience,
      Instant now,
      BiConsumer<ObjectKey, Outbox.Verdict> word) {
    Iterator<Map.Entry<ObjectKey, Untold>> waiting = list.entrySet().iterator();
    while (waiting.hasNext()) {
      Map.Entry<ObjectKey, Untold> longest = waiting.next();
      Instant due = longest.getValue().since().plus(patience);
      if (now.isBefore(due) || now.isBefore(spentUntil)) {
        Instant soonest = now.plus(BATCH_INTERVAL);
        callAt(due.isAfter(soonest) ? due : soonest);
        return;
      }
      waiting.remove();
      spentUntil = spentUntil.plus(COST);
      Refusal refusal = longest.getValue().refusal();
      word.accept(longest.getKey(), new Outbox.Verdict(refusal.reason(), refusal.message(), now));
    }
  }

  private void tellTried(ObjectKey workload, Outbox.Verdict verdict) {
    effects.wakeAt(workload, outbox.verdict(workload, verdict));
  }

  private void tellUntried(ObjectKey workload, Outbox.Verdict verdict) {
    outbox.standBy(workload, verdict);
    effects.wake(workload);
  }

  private static Refusal behindTheHead(ClusterQueueEntry queue) {
    return new Refusal(
        "PendingEvaluation",
        "Waits behind the head of ClusterQueue "
            + queue.name
            + ", which was not admitted (StrictFIFO"
            + (queue.pending.servesByLocalQueue() ? ", who used less goes first)" : ")"));
  }

  private static Refusal behindTheFirst(String clusterQueue, String cohort) {
    return new Refusal(
        "PendingEvaluation",
        "Needs more than its ClusterQueue's own quota and waits behind a workload of ClusterQueue "
            + clusterQueue
            + ", which comes first in Cohort "
            + cohort
            + " (who used less, then priority, then age)");
  }

  private static Refusal behindThePreemptor(String clusterQueue) {
    return new Refusal(
        "PendingEvaluation",
        "Waits behind a workload of ClusterQueue "
            + clusterQueue
            + " that preempts others and gets their quota first");
  }

  private static Refusal likewise(Decision.Inadmissible refused) {
    return refused.reason().equals(WAITING_FOR_QUOTA)
        ? new Refusal(
            WAITING_FOR_QUOTA,
            "Bypassed scheduling evaluation because an equivalent workload recently failed:"
                + " insufficient unused quota")
        : new Refusal(refused.reason(), refused.message());
  }
}
