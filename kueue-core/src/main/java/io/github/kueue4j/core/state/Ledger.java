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

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.preemption.Accounts;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.Demands;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.scheduler.SchedulingGates;
import io.github.kueue4j.core.state.WorkloadEntry.Holding;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who holds quota, who waits for it, and the counts that follow from both; belongs to the State's
 * thread. A Workload that gives up quota, or for which quota was kept until now, lets those be
 * tried again that had found none.
 */
final class Ledger {
  private final QueueIndex queues;
  private final Quotas quotas;
  private final Claims claims;
  private final Demands demands;
  private final WaitingNotices notices;
  private final Outbox outbox;
  private final FairUsage usage;
  private final WaitForPodsReady podsReady;
  private final SchedulingGates gates;
  private final StartGate gate;
  private final State.Effects effects;

  Ledger(
      QueueIndex queues,
      Quotas quotas,
      Claims claims,
      Demands demands,
      WaitingNotices notices,
      Outbox outbox,
      FairUsage usage,
      WaitForPodsReady podsReady,
      SchedulingGates gates,
      StartGate gate,
      State.Effects effects) {
    this.queues = queues;
    this.quotas = quotas;
    this.claims = claims;
    this.demands = demands;
    this.notices = notices;
    this.outbox = outbox;
    this.usage = usage;
    this.podsReady = podsReady;
    this.gates = gates;
    this.gate = gate;
    this.effects = effects;
  }

  /** Brings what is counted for a Workload in line with its newest version. */
  void refresh(WorkloadEntry entry, Instant now) {
    hold(entry, entry.currentHolding().orElse(null), now);
    gate.look(entry);
    restand(entry, now);
    claims.seen(entry.key);
    usage.refreshed(entry, now);
    await(entry, waiting(entry, now).orElse(null), now);
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
      claims.gone(entry.key);
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
        quotas.unpark(queue.name);
      }
      outbox.overcommitted(entry.key, false);
      usageChanged(queue, now);
      effects.queueChanged(ObjectKey.cluster(previous.clusterQueue()));
      effects.queueChanged(previous.localQueue());
      queues.forgetIfUnused(queue);
    }
    if (next != null) {
      // What we decide fits, but not what was reserved before a restart, or by somebody else.
      usageChanged(queues.clusterQueueOf(next.clusterQueue()), now);
      effects.queueChanged(ObjectKey.cluster(next.clusterQueue()));
      effects.queueChanged(next.localQueue());
    }
  }

  /** Keeps up with what decides whether a holder of quota may be preempted. */
  private void restand(WorkloadEntry entry, Instant now) {
    Holding holding = entry.holding;
    if (holding == null) {
      return;
    }
    ClusterQueueEntry queue = queues.clusterQueueOf(holding.clusterQueue());
    Candidate current = candidate(entry, holding);
    Candidate before = queue.holders.put(entry.key, current);
    if (claims.any() && !current.equals(before)) {
      checkOvercommitment(queue, now);
    }
    if (before != null && before.priority() != current.priority()) {
      // Others may go before it now.
      quotas.unpark(queue.name);
    }
  }

  private Candidate candidate(WorkloadEntry entry, Holding holding) {
    return entry.candidate(holding, keepsPlace(holding.clusterQueue()), gates.priorityBoost());
  }

  private void release(ObjectKey key, Holding held) {
    ClusterQueueEntry queue = queues.clusterQueueOf(held.clusterQueue());
    LocalQueueEntry local = queues.localQueueOf(held.localQueue());
    queue.holders.remove(key);
    if (queue.counts.reservation().saturated()) {
      // A sum that was cut off at the largest number can't be taken apart: count anew. It takes an
      // admission written by hand to get there.
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

  private void await(WorkloadEntry entry, @Nullable Place next, Instant now) {
    String previous = entry.waitsIn;
    String target = next == null ? null : next.clusterQueue();
    if (previous != null && !previous.equals(target)) {
      ClusterQueueEntry queue = queues.clusterQueueOf(previous);
      QueuedWorkload left = queue.pending.get(entry.key);
      boolean stood = stands(queue, left);
      queue.pending.remove(entry.key);
      if (stood) {
        quotas.unpark(queue.name);
      }
      if (left != null) {
        notices.left(queue, left);
      }
      effects.queueChanged(ObjectKey.cluster(previous));
      queues.forgetIfUnused(queue);
    }
    if (next != null) {
      ClusterQueueEntry queue = queues.clusterQueueOf(next.clusterQueue());
      QueuedWorkload before = queue.pending.get(entry.key);
      boolean stood = stands(queue, before);
      queue.pending.put(next.workload());
      if (stood && !next.workload().equals(before)) {
        quotas.unpark(queue.name);
      }
      if (before == null || !before.shape().equals(next.workload().shape())) {
        if (before != null) {
          notices.left(queue, before);
        }
        notices.joined(queue, next.workload(), now);
      }
      if (!next.clusterQueue().equals(previous)) {
        effects.queueChanged(ObjectKey.cluster(next.clusterQueue()));
      }
    } else if (previous != null) {
      outbox.forgetVerdict(entry.key);
      outbox.withdrawPreemptions(entry.key);
      entry.preempting = false;
    }
    if ((previous == null) != (target == null) && entry.localQueue != null) {
      LocalQueueEntry local = queues.localQueueOf(entry.localQueue);
      local.pending += target == null ? -1 : 1;
      effects.queueChanged(entry.localQueue);
    }
    entry.waitsIn = target;
  }

  /** Whether others got nothing because quota was kept for this one. */
  private static boolean stands(ClusterQueueEntry queue, @Nullable QueuedWorkload waiting) {
    return waiting != null && queue.pending.standing().contains(waiting);
  }

  /** Where a Workload waits. */
  private record Place(String clusterQueue, QueuedWorkload workload) {}

  private Optional<Place> waiting(WorkloadEntry entry, Instant now) {
    Workload workload = entry.latest;
    ObjectKey local = entry.localQueue;
    if (workload == null
        || local == null
        || entry.holding != null
        || Health.terminating(workload)
        || (gates.admissionGates() && AdmissionGates.of(workload).isPresent())
        || (entry.notBefore != null && now.isBefore(entry.notBefore))
        || workload.status().admissionChecks().stream()
            .anyMatch(check -> check.is(CheckState.REJECTED))) {
      return Optional.empty();
    }
    return queues
        .localQueueOf(local)
        .target()
        .filter(target -> Phase.of(workload, requiredBy(target)) == Phase.QUEUED)
        .flatMap(
            target ->
                demands(entry, workload, target, now)
                    .map(
                        asked ->
                            new Place(
                                target,
                                entry.circles.attempt(
                                    QueuedWorkload.of(
                                        entry.key,
                                        Uids.of(workload),
                                        local.name(),
                                        WorkloadPriority.of(workload, gates.priorityBoost())
                                            .effective(),
                                        QueueOrder.queuedSince(workload, keepsPlace(target)),
                                        asked),
                                    now))));
  }

  /** What a Workload asks for; empty if nobody can tell, which is then said in its status. */
  private Optional<List<PodSetDemand>> demands(
      WorkloadEntry entry, Workload workload, String clusterQueue, Instant now) {
    String problem;
    try {
      List<PodSetDemand> asked = entry.demands(demands);
      Optional<String> found = demands.problem(workload);
      if (found.isEmpty()) {
        return Optional.of(demands.declared(asked, specOf(clusterQueue).orElse(null)));
      }
      problem = found.get();
    } catch (RuntimeException e) {
      problem = "resources validation failed: " + e;
    }
    outbox.verdict(entry.key, new Outbox.Verdict("Misconfigured", problem, now));
    effects.wake(entry.key);
    return Optional.empty();
  }

  private Optional<ClusterQueueSpec> specOf(String clusterQueue) {
    return queues
        .clusterQueue(clusterQueue)
        .flatMap(entry -> Optional.ofNullable(entry.object))
        .map(ClusterQueue::spec);
  }

  private boolean keepsPlace(String clusterQueue) {
    return podsReady
        .in(specOf(clusterQueue).orElse(null))
        .filter(PodsReadyPolicy::keepsPlace)
        .isPresent();
  }

  private Set<String> requiredBy(String clusterQueue) {
    return queues
        .clusterQueue(clusterQueue)
        .map(entry -> entry.object)
        .<Set<String>>map(queue -> CheckStrategy.ofAnyFlavor(queue.spec()))
        .orElse(Set.of());
  }

  /** The Workload names another LocalQueue, or none. */
  void moveTo(WorkloadEntry entry, @Nullable ObjectKey queue, Instant now) {
    ObjectKey previous = entry.localQueue;
    if (Objects.equals(previous, queue)) {
      return;
    }
    if (previous != null) {
      await(entry, null, now);
      hold(entry, null, now);
      gate.look(entry);
      usage.refreshed(entry, now);
      queues.localQueueOf(previous).members.remove(entry.key);
    }
    entry.localQueue = queue;
    if (queue != null) {
      queues.localQueueOf(queue).members.add(entry.key);
    }
  }

  /**
   * After an administrator has taken quota away: marks the youngest reservations whose Workloads
   * aren't admitted yet, as many as it takes for the rest to fit, and first of queues that borrow.
   * What is admitted keeps running.
   */
  void checkOvercommitment(ClusterQueueEntry entry, Instant now) {
    verify(entry, quotas.overcommittedAround(entry.name), now);
  }

  private void usageChanged(ClusterQueueEntry entry, Instant now) {
    verify(entry, quotas.overcommittedBy(entry.name), now);
  }

  private void verify(ClusterQueueEntry entry, boolean exceeded, Instant now) {
    if (exceeded || claims.any()) {
      List<ClusterQueueEntry> relatives = quotas.relatives(entry.name);
      claims.update(relatives, now);
      markOvercommitted(relatives);
    }
  }

  private void markOvercommitted(List<ClusterQueueEntry> relatives) {
    // What a deferred preemption is going to free counts as free.
    Accounts accounts = Accounts.of(quotas.tree(), claims.open());
    QuotaTree tree = accounts.settled();
    QuotaTree.Trial trial = tree.trial();
    Set<ObjectKey> spared = accounts.involved();
    for (ObjectKey key : claims.hopeless()) {
      spared.add(key);
      queues
          .workload(key)
          .map(holder -> holder.holding)
          .ifPresent(holding -> trial.giveBack(holding.clusterQueue(), holding.usage()));
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
        trial.giveBack(holding.clusterQueue(), holding.usage());
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
