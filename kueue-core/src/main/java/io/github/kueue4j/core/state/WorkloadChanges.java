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

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.ResourceVersions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.scheduler.Decision;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what happens to Workloads, in the world and by our own writes (see {@link State});
 * belongs to the State's thread.
 */
final class WorkloadChanges {
  /**
   * What was preempted before it ran gives its quota back at once. Should the policies let two
   * Workloads take it from each other in turns, they do so no more often than this.
   */
  private static final Duration PAUSE_AFTER_PREEMPTION = Duration.ofSeconds(1);

  private final QueueIndex queues;
  private final Ledger ledger;
  private final Outbox outbox;
  private final State.Effects effects;

  WorkloadChanges(QueueIndex queues, Ledger ledger, Outbox outbox, State.Effects effects) {
    this.queues = queues;
    this.ledger = ledger;
    this.outbox = outbox;
    this.effects = effects;
  }

  void workload(Workload workload, Instant now) {
    WorkloadEntry entry = queues.workloadOf(ObjectKey.of(workload));
    if (entry.latest != null && ResourceVersions.older(workload, entry.latest)) {
      return;
    }
    WorkloadEntry.Holding held = entry.holding;
    boolean losesQuota =
        entry.latest != null && Phase.holdsQuota(entry.latest) && !Phase.holdsQuota(workload);
    entry.latest = workload;
    if (Phase.holdsQuota(workload)) {
      entry.assumed = null;
    } else if (held != null
        && Conditions.isTrue(workload.status().conditions(), WorkloadConditions.PREEMPTED)) {
      if (losesQuota) {
        entry.circles.preempted(now).ifPresent(until -> effects.retryAt(entry.key, until));
      }
      if (!held.admitted()) {
        entry.notBefore = now.plus(PAUSE_AFTER_PREEMPTION);
        effects.retryAt(entry.key, entry.notBefore);
      }
    }
    ledger.moveTo(entry, queueKey(workload), now);
    ledger.refresh(entry, now);
  }

  void written(Workload workload, Instant now) {
    if (queues.workload(ObjectKey.of(workload)).isPresent()) {
      workload(workload, now);
    }
  }

  void workloadGone(ObjectKey key, Instant now) {
    queues
        .remove(key)
        .ifPresent(
            entry -> {
              entry.latest = null;
              entry.assumed = null;
              ledger.refresh(entry, now);
              ledger.moveTo(entry, null, now);
              outbox.forget(key);
            });
  }

  void reservationWritten(ObjectKey key, Decision.Reserve decision, Workload written, Instant now) {
    queues
        .workload(key)
        .ifPresent(
            entry -> {
              if (decision.equals(entry.assumed)) {
                entry.assumed = null;
              }
              workload(written, now);
              ledger.refresh(entry, now);
            });
  }

  void reservationFailed(ObjectKey key, Decision.Reserve decision, Instant notBefore, Instant now) {
    queues
        .workload(key)
        .filter(entry -> decision.equals(entry.assumed))
        .ifPresent(
            entry -> {
              entry.assumed = null;
              entry.notBefore = notBefore;
              ledger.refresh(entry, now);
              effects.retryAt(key, notBefore);
            });
  }

  void preemptionFailed(PreemptionOrder order, Instant notBefore, Instant now) {
    boolean stillHolds =
        queues
            .clusterQueue(order.victim().clusterQueue())
            .map(queue -> queue.holders.get(order.victim().key()))
            .filter(order.victim()::equals)
            .isPresent();
    if (stillHolds) {
      queues
          .workload(order.preemptor())
          .ifPresent(
              entry -> {
                entry.notBefore = notBefore;
                ledger.refresh(entry, now);
                effects.retryAt(entry.key, notBefore);
              });
    }
  }

  void reconsider(ObjectKey key, Instant now) {
    queues.workload(key).ifPresent(entry -> ledger.refresh(entry, now));
  }

  private static @Nullable ObjectKey queueKey(Workload workload) {
    String name = workload.spec().queueName();
    return name == null || name.isEmpty()
        ? null
        : new ObjectKey(ObjectKey.of(workload).namespace(), name);
  }
}
