// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.SchedulingCycle;
import io.github.kueue4j.core.scheduler.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs scheduling cycles: selects the heads of the queues, lets the scheduler decide about them,
 * and has the decisions recorded. Belongs to the State's thread.
 */
final class SchedulerDriver {
  /** How many cycles may run before events that came in meanwhile get their turn. */
  private static final int CYCLES_PER_TURN = 64;

  private final SchedulingBooks books;
  private final HeadSelector heads;
  private final DeferredPreemptions deferredPreemptions;
  private final PendingReasonNotifier notifier;
  private final DecisionRecorder recorder;

  SchedulerDriver(
      SchedulingBooks books,
      Ledger ledger,
      DeferredPreemptions deferredPreemptions,
      PendingReasonNotifier notifier) {
    this.books = books;
    this.heads = new HeadSelector(books);
    this.deferredPreemptions = deferredPreemptions;
    this.notifier = notifier;
    this.recorder = new DecisionRecorder(books, heads, ledger, deferredPreemptions, notifier);
  }

  /**
   * Runs cycles until no queue has a head left that is worth a try.
   *
   * @return false if it stopped early so that events get their turn
   */
  boolean run(Instant now) {
    notifier.notifyDue(now);
    WaitingBorrowers borrowers = new WaitingBorrowers(books.quotas().tree());
    for (int cycle = 0; cycle < CYCLES_PER_TURN; cycle++) {
      if (blockedByStartGate(now)) {
        return true;
      }
      List<SchedulingCycle.Head> candidates =
          withBlockingWorkloads(borrowers.select(heads.select(now)));
      if (candidates.isEmpty()) {
        deferredPreemptions.settle(now);
        return true;
      }
      books.effects().cycleBegins();
      List<Decision> decisions =
          SchedulingCycle.run(snapshot(candidates, now), candidates, borrowers.roots());
      books.effects().cycled(decisions);
      borrowers.decided(decisions);
      record(decisions, now);
    }
    return false;
  }

  private void record(List<Decision> decisions, Instant now) {
    try {
      for (Decision decision : decisions) {
        if (books.startGate().closed()) {
          // The Workload of an earlier decision got quota, and its pods have to be ready first.
          return;
        }
        books.effects().attempted(decision);
        recorder.record(decision, now);
      }
    } finally {
      recorder.cycleEnds(now);
    }
  }

  /** Whether pods have to get ready before any Workload gets quota; notifies those that wait. */
  private boolean blockedByStartGate(Instant now) {
    StartGate gate = books.startGate();
    if (!gate.enabled()) {
      return false;
    }
    boolean closed = gate.closed();
    for (ClusterQueueEntry queue : books.queues().clusterQueues()) {
      if (!closed || queue.health.active()) {
        notifier.startGateChanged(queue, closed);
      }
    }
    if (closed) {
      for (SchedulingCycle.Head head : heads.select(now)) {
        notifier.tried(head.workload().key(), StartGate.PENDING_REASON);
      }
    }
    return closed;
  }

  /**
   * Adds the Workloads for which their queues keep quota, as preemptors or as heads of StrictFIFO
   * queues. They take part whenever a Workload of their cohort tree is tried, so that no other
   * Workload takes what is kept for them.
   */
  private List<SchedulingCycle.Head> withBlockingWorkloads(List<SchedulingCycle.Head> fresh) {
    List<SchedulingCycle.Head> all = new ArrayList<>(fresh);
    Set<NodeId> roots = new HashSet<>();
    // A queue that has a fresh head is decided by that head.
    Set<String> tried = new HashSet<>();
    fresh.forEach(head -> tried.add(head.clusterQueue()));
    QuotaTree tree = books.quotas().tree();
    for (SchedulingCycle.Head head : fresh) {
      NodeId root = tree.rootOf(head.clusterQueue());
      if (root.isCohort() && roots.add(root)) {
        for (String name : tree.queuesUnder(root)) {
          books
              .queues()
              .clusterQueue(name)
              .filter(queue -> queue.health.active() && !tried.contains(name))
              .ifPresent(
                  queue ->
                      queue
                          .pending
                          .blockingHeads()
                          .forEach(blocking -> all.add(new SchedulingCycle.Head(name, blocking))));
        }
      }
    }
    all.replaceAll(head -> head.preempting(books.preemptors().contains(head.workload())));
    return all;
  }

  /** The state that the decisions about these heads depend on. */
  private Snapshot snapshot(List<SchedulingCycle.Head> candidates, Instant now) {
    Catalog catalog = books.catalog();
    Map<String, Snapshot.Queue> active = new HashMap<>();
    for (SchedulingCycle.Head head : candidates) {
      ClusterQueueEntry queue = books.queues().clusterQueueOf(head.clusterQueue());
      if (queue.object != null && queue.health.active()) {
        active.put(queue.name, new Snapshot.Queue(queue.object.spec(), catalog.deferringChecks()));
      }
    }
    return new Snapshot(
        active,
        books.quotas().tree(),
        catalog.flavors(),
        catalog.namespaces(),
        books.preemptionCandidates(now),
        deferredPreemptions.open(),
        books.settings().gates());
  }
}
