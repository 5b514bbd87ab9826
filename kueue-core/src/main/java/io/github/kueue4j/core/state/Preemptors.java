// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.preemption.PreemptionTexts;
import io.github.kueue4j.core.preemption.PreemptionTexts.NamedPreemptor;
import io.github.kueue4j.core.queue.QueuedWorkload;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The Workloads that wait while others are evicted for them. They precede others until they get
 * quota, are refused, or no longer wait. Otherwise another Workload could take the quota that their
 * victims release, and further ones would be evicted. Belongs to the State's thread.
 *
 * <p>The scheduler's decision says for which Workload others are evicted. What an earlier core
 * decided is read from the victims, once, before the first decision: while they stop, their
 * condition Preempted names the preemptor. Later it isn't read: it would bring back what has ended
 * since the decision.
 *
 * <p>The condition may be forged by a client that may write the status of a Workload that holds
 * quota, and that has this Workload stopped: the condition counts only while it is being evicted.
 * Then another Workload, which waits in the ClusterQueue that is named, precedes others as if it
 * had preempted. It gets only quota that is free, or that its own preemption frees. The same right
 * suffices to write a reservation.
 */
final class Preemptors {
  private final QueueIndex queues;
  private final Quotas quotas;

  /** The UIDs of the preemptors. */
  private final Map<ObjectKey, String> preemptors = new HashMap<>();

  private boolean recalled;

  Preemptors(QueueIndex queues, Quotas quotas) {
    this.queues = queues;
    this.quotas = quotas;
  }

  /** Whether others are, or were, evicted for a Workload that waits. */
  boolean contains(QueuedWorkload workload) {
    return workload.uid().equals(preemptors.get(workload.key()));
  }

  /** From now on others are evicted for a Workload that waits. */
  void begins(ClusterQueueEntry queue, QueuedWorkload workload) {
    preemptors.put(workload.key(), workload.uid());
    if (!queue.strict()) {
      queue.pending.prioritize(workload);
    }
  }

  /** A Workload got quota, was refused, or waits no longer. */
  void ends(ObjectKey workload) {
    if (preemptors.remove(workload) != null) {
      queues
          .workload(workload)
          .flatMap(entry -> Optional.ofNullable(entry.waitsIn))
          .flatMap(queues::clusterQueue)
          .ifPresent(queue -> queue.pending.clearPriority(workload));
    }
  }

  /**
   * The preemptions for a Workload were withdrawn. Unless a victim stops already, it takes its old
   * place in its queue: nothing is freed for it.
   */
  void withdrawn(ClusterQueueEntry queue, QueuedWorkload workload) {
    if (contains(workload)) {
      NamedPreemptor name = new NamedPreemptor(workload.uid(), queue.name);
      boolean awaitsVictims =
          quotas.relatives(queue.name).stream()
              .flatMap(relative -> relative.holders.keySet().stream())
              .flatMap(holder -> queues.workload(holder).stream())
              .flatMap(holder -> holder.preemptionUnderWay().stream())
              .anyMatch(preempted -> preemptorIn(preempted).filter(name::equals).isPresent());
      if (!awaitsVictims) {
        queue.pending.clearPriority(workload.key());
      }
    }
  }

  /**
   * Finds those for whom an earlier core had others evicted, the first time that it is called. To
   * be called when all objects have been seen. Takes time in proportion to the number of Workloads.
   */
  void recall() {
    if (recalled) {
      return;
    }
    recalled = true;
    Map<NamedPreemptor, Instant> latestPreemptions = new HashMap<>();
    for (WorkloadEntry entry : queues.workloads()) {
      Condition preempted = entry.preemptionUnderWay().orElse(null);
      if (preempted != null) {
        preemptorIn(preempted)
            .ifPresent(
                name ->
                    latestPreemptions.merge(
                        name, preempted.lastTransitionTime(), Preemptors::later));
      }
    }
    if (latestPreemptions.isEmpty()) {
      return;
    }
    for (WorkloadEntry entry : queues.workloads()) {
      ClusterQueueEntry queue =
          Optional.ofNullable(entry.waitsIn).flatMap(queues::clusterQueue).orElse(null);
      if (queue == null) {
        continue;
      }
      QueuedWorkload workload = queue.pending.get(entry.key);
      if (workload != null) {
        Instant preempted = latestPreemptions.get(new NamedPreemptor(workload.uid(), queue.name));
        if (preempted != null && !hadQuotaSince(preempted, entry)) {
          begins(queue, workload);
        }
      }
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Optional<NamedPreemptor> preemptorIn(Condition preempted) {
    return PreemptionTexts.preemptorIn(preempted.message());
  }

  /**
   * Whether it has been evicted since, and so has had the quota that was freed for it, or other.
   */
  private static boolean hadQuotaSince(Instant preemption, WorkloadEntry waiting) {
    return Optional.ofNullable(waiting.latest)
        .flatMap(workload -> workload.conditions().findTrue(WorkloadConditions.EVICTED))
        .filter(evicted -> evicted.lastTransitionTime().isAfter(preemption))
        .isPresent();
  }
}
