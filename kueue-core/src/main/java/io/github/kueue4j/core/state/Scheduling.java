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
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.preemption.Rivals;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.NoFitReason;
import io.github.kueue4j.core.scheduler.SchedulingCycle;
import io.github.kueue4j.core.scheduler.SchedulingGates;
import io.github.kueue4j.core.scheduler.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lets the scheduler decide about the heads of the queues and notes what it decided; belongs to the
 * State's thread.
 */
final class Scheduling {
  /** How many cycles may run before events that came in meanwhile get their turn. */
  private static final int CYCLES_PER_TURN = 64;

  private final PreemptionSettings settings;
  private final QueueIndex queues;
  private final Catalog catalog;
  private final Quotas quotas;
  private final SchedulingGates gates;
  private final Ledger ledger;
  private final Claims claims;
  private final PreemptionOrders orders;
  private final WaitingNotices notices;
  private final Outbox outbox;
  private final Nominations nominations;
  private final FairUsage usage;
  private final StartGate gate;
  private final State.Effects effects;

  Scheduling(
      PreemptionSettings settings,
      SchedulingGates gates,
      QueueIndex queues,
      Catalog catalog,
      Quotas quotas,
      Ledger ledger,
      Claims claims,
      PreemptionOrders orders,
      WaitingNotices notices,
      Outbox outbox,
      Nominations nominations,
      FairUsage usage,
      StartGate gate,
      State.Effects effects) {
    this.settings = settings;
    this.queues = queues;
    this.catalog = catalog;
    this.quotas = quotas;
    this.gates = gates;
    this.ledger = ledger;
    this.claims = claims;
    this.orders = orders;
    this.notices = notices;
    this.outbox = outbox;
    this.nominations = nominations;
    this.usage = usage;
    this.gate = gate;
    this.effects = effects;
  }

  /**
   * Runs cycles until no queue has a head left that is worth a try.
   *
   * @return false if it stopped early so that events get their turn
   */
  boolean run(Instant now) {
    notices.tellWhoWaitedLong(now);
    for (int cycle = 0; cycle < CYCLES_PER_TURN; cycle++) {
      if (waitsForStart(now)) {
        return true;
      }
      List<SchedulingCycle.Head> heads = withStanding(nominations.heads(now));
      if (heads.isEmpty()) {
        claims.settle(now);
        return true;
      }
      effects.cycleBegins();
      List<Decision> decisions = SchedulingCycle.run(snapshot(now), heads);
      effects.cycled(decisions);
      for (Decision decision : decisions) {
        if (gate.closed()) {
          // The one before it got quota and has to start first.
          break;
        }
        effects.attempted(decision);
        apply(decision, now);
      }
    }
    return false;
  }

  /** Whether somebody has to start before anybody else gets quota; those that wait are told. */
  private boolean waitsForStart(Instant now) {
    if (!gate.used()) {
      return false;
    }
    boolean closed = gate.closed();
    for (ClusterQueueEntry queue : queues.clusterQueues()) {
      if (!closed || queue.health.active()) {
        notices.waitForStart(queue, closed, now);
      }
    }
    if (closed) {
      for (SchedulingCycle.Head head : nominations.heads(now)) {
        verdict(head.workload().key(), StartGate.REASON, StartGate.MESSAGE, now);
      }
    }
    return closed;
  }

  /**
   * Those whose queues wait for them to get quota, as preemptors or at the head of a StrictFIFO
   * queue, take part whenever somebody of their tree is tried: nobody takes what is theirs first.
   */
  private List<SchedulingCycle.Head> withStanding(List<SchedulingCycle.Head> fresh) {
    List<SchedulingCycle.Head> heads = new ArrayList<>(fresh);
    Set<NodeId> roots = new HashSet<>();
    // Where another one is first now, it decides for its queue.
    Set<String> tried = new HashSet<>();
    fresh.forEach(head -> tried.add(head.clusterQueue()));
    for (SchedulingCycle.Head head : fresh) {
      NodeId root = quotas.tree().rootOf(head.clusterQueue());
      if (root.isCohort() && roots.add(root)) {
        for (String name : quotas.tree().queuesUnder(root)) {
          queues
              .clusterQueue(name)
              .filter(queue -> queue.health.active() && !tried.contains(name))
              .ifPresent(
                  queue ->
                      queue
                          .pending
                          .standing()
                          .forEach(
                              standing -> heads.add(new SchedulingCycle.Head(name, standing))));
        }
      }
    }
    heads.replaceAll(
        head ->
            new SchedulingCycle.Head(
                head.clusterQueue(), head.workload(), preempting(head.workload().key())));
    return heads;
  }

  private boolean preempting(ObjectKey key) {
    return queues.workload(key).filter(entry -> entry.preempting).isPresent();
  }

  private void preempting(ObjectKey key, boolean isSo) {
    queues.workload(key).ifPresent(entry -> entry.preempting = isSo);
  }

  private Snapshot snapshot(Instant now) {
    Map<String, Snapshot.Queue> active = new HashMap<>();
    for (ClusterQueueEntry queue : queues.clusterQueues()) {
      if (queue.object != null && queue.health.active()) {
        active.put(queue.name, new Snapshot.Queue(queue.object.spec(), catalog.deferringChecks()));
      }
    }
    return new Snapshot(
        active,
        quotas.tree(),
        catalog.flavors(),
        catalog.namespaces(),
        new Rivals(queues::holders, settings, localQueue -> usage.inForce(localQueue, now)),
        claims.open(),
        gates);
  }

  private void apply(Decision decision, Instant now) {
    ObjectKey key = decision.workload().key();
    switch (decision) {
      case Decision.Reserve reserve -> {
        notices.passed(queues.clusterQueueOf(reserve.clusterQueue()));
        inScopeOf(reserve.workload()).forEach(queue -> queue.behindInScope = null);
        queues
            .workload(key)
            .ifPresent(
                entry -> {
                  entry.assumed = reserve;
                  entry.circles.reserved(entry.preempting || !reserve.deferred().isEmpty());
                  entry.preempting = false;
                  entry.tookFreeQuota = reserve.deferred().isEmpty();
                  claims.promised(key, reserve.deferred());
                  outbox.withdrawPreemptions(key);
                  outbox.reserve(key, reserve);
                  ledger.refresh(entry, now);
                  effects.wake(key);
                });
        ClusterQueueEntry queue = queues.clusterQueueOf(reserve.clusterQueue());
        if (!queue.pending.standing().isEmpty()) {
          // It went before one for which less of the queue's quota can be kept now.
          quotas.unparkOthers(queue);
        }
      }
      case Decision.Preempt preempt -> {
        ClusterQueueEntry queue = queues.clusterQueueOf(preempt.clusterQueue());
        // What its victims let go of is for this one: nobody behind it may pass meanwhile.
        setAside(queue, preempt.workload(), true, true);
        if (!queue.strict()) {
          queue.pending.putFirst(preempt.workload());
        }
        preempting(key, true);
        orders.order(preempt.clusterQueue(), preempt.workload(), preempt.targets());
        notices.preempting(queue, preempt, now);
        tellScope(preempt.workload(), queue, now);
        verdict(key, Decision.Preempt.REASON, preempt.message(), now);
        effects.queueChanged(ObjectKey.cluster(preempt.clusterQueue()));
      }
      case Decision.Skipped skipped -> skip(skipped, now);
      case Decision.Inadmissible refused -> {
        outbox.withdrawPreemptions(key);
        preempting(key, false);
        ClusterQueueEntry queue = queues.clusterQueueOf(refused.clusterQueue());
        queue.pending.notFirst(key);
        setAside(
            queue,
            refused.workload(),
            refused.reason().equals(NoFitReason.WAITING_FOR_QUOTA.conditionReason()),
            refused.blocking());
        notices.refused(queue, refused, now);
        tellScope(refused.workload(), queue, now);
        verdict(key, refused.reason(), refused.message(), now);
        effects.queueChanged(ObjectKey.cluster(refused.clusterQueue()));
      }
    }
  }

  private void skip(Decision.Skipped skipped, Instant now) {
    ClusterQueueEntry queue = queues.clusterQueueOf(skipped.clusterQueue());
    ObjectKey key = skipped.workload().key();
    outbox.withdrawPreemptions(key);
    if (skipped.again() || skipped.keptFor().stream().anyMatch(this::inNobodysWay)) {
      queue.pending.standDown(skipped.workload());
      return;
    }
    setAside(
        queue,
        skipped.workload(),
        true,
        queue.strict() || skipped.why() == Decision.Skip.FITS_AFTER_OTHERS);
    verdict(key, skipped.why().reason(), skipped.why().message(), now);
    effects.queueChanged(ObjectKey.cluster(queue.name));
  }

  /**
   * Whether one that was refused is parked by now, and takes no part in the next cycle. So the same
   * comes out only as often as there are shapes.
   */
  private boolean inNobodysWay(Decision.Inadmissible refused) {
    return !queues
        .clusterQueueOf(refused.clusterQueue())
        .pending
        .standing()
        .contains(refused.workload());
  }

  private void verdict(ObjectKey key, String reason, String message, Instant now) {
    notices.tried(key, new WaitingNotices.Refusal(reason, message), now);
  }

  /**
   * Keeps a head that got nothing, and what must not pass it, from being tried again in vain.
   *
   * @param waitsForQuota whether it may get quota later; what can't ever doesn't hold up its scope
   * @param blocking whether nothing in its queue may pass it
   */
  private void setAside(
      ClusterQueueEntry queue, QueuedWorkload head, boolean waitsForQuota, boolean blocking) {
    boolean stands = queue.pending.isRefusedOutside(head);
    List<QueuedWorkload> others = new ArrayList<>(queue.pending.standing());
    others.remove(head);
    if (waitsForQuota && (stands || nominations.nominatedFor(head).isPresent())) {
      queue.pending.refuseOutside(head);
    } else if (blocking) {
      queue.pending.parkAll(head);
    } else {
      queue.pending.standDown(head);
      queue.pending.parkShape(head);
    }
    if (!queue.pending.standing().containsAll(others)) {
      // It stands in place of one for which more may have been kept.
      quotas.unparkOthers(queue);
    }
  }

  /** What sticks out of its ClusterQueue's quota waits behind the first of its scope. */
  private void tellScope(QueuedWorkload head, ClusterQueueEntry of, Instant now) {
    if (of.pending.isRefusedOutside(head)) {
      String scope = nominations.nominatedFor(head).map(NodeId::name).orElse("");
      inScopeOf(head).forEach(queue -> notices.behindInScope(queue, head, of.name, scope, now));
    }
  }

  /** The ClusterQueues of the Cohort that a head was nominated for; none if it wasn't. */
  private Stream<ClusterQueueEntry> inScopeOf(QueuedWorkload head) {
    return nominations.nominatedFor(head).stream()
        .flatMap(cohort -> quotas.tree().queuesUnder(cohort).stream())
        .flatMap(name -> queues.clusterQueue(name).stream());
  }
}
