// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.preemption.PreemptionTexts.NamedPreemptor;
import io.github.kueue4j.core.queue.QueuedWorkload;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The Workloads that wait while others are evicted for them. They precede others until they get
 * quota, are refused, or no longer wait. Otherwise another Workload could take the quota that their
 * victims release, and further ones would be evicted.
 *
 * <p>The scheduler's decision says for which Workload others are evicted. A core that takes over,
 * and a dry run, learn it from the victims: until they have stopped, their condition Preempted
 * names the preemptor. That makes no difference to a preemptor that is known already. Belongs to
 * the State's thread.
 *
 * <p>The condition may be forged by a client that may write the status of a Workload that holds
 * quota, and that has this Workload stopped: the condition counts only while it is being evicted.
 * Then another Workload, which waits in the ClusterQueue that is named, is tried before those that
 * precede it. It gets only quota that is free, or that its own preemption frees. The same right
 * suffices to write a reservation.
 */
final class Preemptors {
  private final QueueIndex queues;

  /** The keys of the preemptors, by UID. */
  private final Map<String, ObjectKey> preemptors = new HashMap<>();

  /** Of each victim that hasn't released its quota yet, the preemptor. */
  private final Map<ObjectKey, NamedPreemptor> byVictim = new HashMap<>();

  /** How many of these victims name the same preemptor. */
  private final Map<NamedPreemptor, Integer> victims = new HashMap<>();

  /** Preemptors that were named since {@link #recall}. */
  private final Set<NamedPreemptor> named = new LinkedHashSet<>();

  Preemptors(QueueIndex queues) {
    this.queues = queues;
  }

  /** Whether others are, or were, evicted for a Workload that waits. */
  boolean contains(QueuedWorkload workload) {
    return workload.key().equals(preemptors.get(workload.uid()));
  }

  /** From now on others are evicted for a Workload that waits. */
  void begins(ClusterQueueEntry queue, QueuedWorkload workload) {
    preemptors.put(workload.uid(), workload.key());
    if (!queue.strict()) {
      queue.pending.prioritize(workload);
    }
  }

  /** A Workload got quota, was refused, or waits no longer. */
  void ends(ObjectKey workload) {
    if (preemptors.values().removeIf(workload::equals)) {
      queues
          .workload(workload)
          .flatMap(entry -> Optional.ofNullable(entry.waitsIn))
          .flatMap(queues::clusterQueue)
          .ifPresent(queue -> queue.pending.clearPriority(workload));
    }
  }

  /** A version of a Workload was seen, which may be a victim. */
  void seen(WorkloadEntry entry) {
    NamedPreemptor next = entry.makesRoomFor().orElse(null);
    NamedPreemptor previous =
        next == null ? byVictim.remove(entry.key) : byVictim.put(entry.key, next);
    if (Objects.equals(previous, next)) {
      return;
    }
    if (previous != null) {
      victims.computeIfPresent(previous, (any, count) -> count == 1 ? null : count - 1);
    }
    if (next != null) {
      victims.merge(next, 1, Integer::sum);
      named.add(next);
    }
  }

  /** A Workload begins to wait, whose victims may have been seen before. */
  void joins(ClusterQueueEntry queue, QueuedWorkload workload) {
    NamedPreemptor name = new NamedPreemptor(workload.uid(), queue.name);
    if (victims.containsKey(name)) {
      named.add(name);
    }
  }

  /** Finds the preemptors that were named. To be called when all that is to be seen was seen. */
  void recall() {
    for (NamedPreemptor name : named) {
      // Most are known from the decision. A queue is searched only after a takeover.
      if (!preemptors.containsKey(name.uid())) {
        queues
            .clusterQueue(name.clusterQueue())
            .ifPresent(
                queue ->
                    queue.pending.workloads().stream()
                        .filter(workload -> workload.uid().equals(name.uid()))
                        .findFirst()
                        .ifPresent(workload -> begins(queue, workload)));
      }
    }
    named.clear();
  }
}
