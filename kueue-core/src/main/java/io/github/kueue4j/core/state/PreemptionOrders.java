// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.lifecycle.Preemption;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.PreemptionTexts;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.jobs.Keys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests the eviction of victims from their workers. Belongs to the State's thread. */
final class PreemptionOrders {
  private final QueueIndex queues;
  private final Quotas quotas;
  private final boolean priorityBoost;
  private final Outbox outbox;
  private final State.Effects effects;

  PreemptionOrders(SchedulingBooks books) {
    this.queues = books.queues();
    this.quotas = books.quotas();
    this.priorityBoost = books.settings().gates().priorityBoost();
    this.outbox = books.outbox();
    this.effects = books.effects();
  }

  /** Requests the victims of a Workload that waits. */
  void order(String clusterQueue, QueuedWorkload workload, List<Target> targets) {
    order(clusterQueue, workload.key(), workload.uid(), targets);
  }

  /** Requests the victims of a Workload that has reserved already. */
  void order(Candidate claimant, List<Target> targets) {
    order(claimant.clusterQueue(), claimant.key(), claimant.uid(), targets);
  }

  /** Requests the eviction of those victims that aren't being evicted already. */
  private void order(String clusterQueue, ObjectKey key, String uid, List<Target> targets) {
    PreemptionTexts.PreemptorDescription preemptor =
        new PreemptionTexts.PreemptorDescription(
            uid, jobUid(key), path(clusterQueue), priority(key));
    String noteOnPreemptor = PreemptionTexts.noteOnPreemptor(preemptor, key.namespace(), targets);
    Map<ObjectKey, PreemptionOrder> orders = new LinkedHashMap<>();
    for (Target target : targets) {
      Candidate victim = target.candidate();
      if (!victim.evicted()) {
        String message = PreemptionTexts.message(target, preemptor, path(victim.clusterQueue()));
        orders.put(
            victim.key(),
            new PreemptionOrder(
                victim,
                key,
                clusterQueue,
                new Preemption(target.reason().conditionReason(), message),
                PreemptionTexts.noteOnVictim(preemptor, priority(victim.key()), message),
                noteOnPreemptor));
      }
    }
    outbox.preempt(key, orders);
    orders.keySet().forEach(effects::wake);
  }

  private WorkloadPriority priority(ObjectKey workload) {
    return queues
        .workload(workload)
        .map(entry -> entry.latest)
        .map(latest -> WorkloadPriority.of(latest, priorityBoost))
        .orElse(new WorkloadPriority(0, 0));
  }

  private String jobUid(ObjectKey workload) {
    return queues
        .workload(workload)
        .map(entry -> entry.latest)
        .map(latest -> latest.metadata().getLabels())
        .map(labels -> labels.get(Keys.JOB_UID))
        .orElse("");
  }

  /** The path from the root Cohort to the ClusterQueue. */
  private String path(String clusterQueue) {
    StringBuilder path = new StringBuilder();
    quotas
        .tree()
        .ancestors(clusterQueue)
        .reversed()
        .forEach(cohort -> path.append('/').append(cohort.name()));
    return path.append('/').append(clusterQueue).toString();
  }
}
