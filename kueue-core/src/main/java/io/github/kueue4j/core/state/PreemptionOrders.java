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
import io.github.kueue4j.core.job.Keys;
import io.github.kueue4j.core.lifecycle.Preemption;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.PreemptionTexts;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.queue.WorkloadPriority;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Has victims evicted, each by its own worker; belongs to the State's thread. */
final class PreemptionOrders {
  private final QueueIndex queues;
  private final Quotas quotas;
  private final boolean boosts;
  private final Outbox outbox;
  private final State.Effects effects;

  /**
   * Orders of nobody yet.
   *
   * @param boosts whether priorities can be boosted
   */
  PreemptionOrders(
      QueueIndex queues, Quotas quotas, boolean boosts, Outbox outbox, State.Effects effects) {
    this.queues = queues;
    this.quotas = quotas;
    this.boosts = boosts;
    this.outbox = outbox;
    this.effects = effects;
  }

  /** For a Workload that waits. */
  void order(String clusterQueue, QueuedWorkload workload, List<Target> targets) {
    order(clusterQueue, workload.key(), workload.uid(), targets);
  }

  /** For a Workload that has reserved already. */
  void order(Candidate claimant, List<Target> targets) {
    order(claimant.clusterQueue(), claimant.key(), claimant.uid(), targets);
  }

  /** Has those evicted that aren't on their way out already. */
  private void order(String clusterQueue, ObjectKey key, String uid, List<Target> targets) {
    PreemptionTexts.For preemptor =
        new PreemptionTexts.For(key, uid, jobUid(key), path(clusterQueue), priority(key));
    Map<ObjectKey, PreemptionOrder> orders = new LinkedHashMap<>();
    for (Target target : targets) {
      Candidate victim = target.candidate();
      if (!victim.evicted()) {
        WorkloadPriority victims = priority(victim.key());
        String message = PreemptionTexts.message(target, preemptor, path(victim.clusterQueue()));
        orders.put(
            victim.key(),
            new PreemptionOrder(
                victim,
                key,
                clusterQueue,
                new Preemption(
                    target.reason().conditionReason(),
                    message,
                    PreemptionTexts.note(preemptor, victims, message)),
                PreemptionTexts.preemptorNote(target, preemptor, victims)));
      }
    }
    outbox.preempt(key, orders);
    orders.keySet().forEach(effects::wake);
  }

  private WorkloadPriority priority(ObjectKey workload) {
    return queues
        .workload(workload)
        .map(entry -> entry.latest)
        .map(latest -> WorkloadPriority.of(latest, boosts))
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

  /** From the root of its cohorts to the ClusterQueue. */
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
