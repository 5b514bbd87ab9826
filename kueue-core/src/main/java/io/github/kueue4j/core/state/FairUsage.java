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

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.AdmissionMode;
import io.github.kueue4j.api.AdmissionScope;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.FairSharing;
import io.github.kueue4j.api.FairSharingStatus;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.quota.AdmittedUsage;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.state.WorkloadEntry.Holding;
import io.github.kueue4j.core.usage.Consumed;
import io.github.kueue4j.core.usage.Reservation;
import io.github.kueue4j.core.usage.Run;
import io.github.kueue4j.core.usage.UsageLedger;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.core.usage.UsageVector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the queues have used, kept in step with who holds quota (KEP-4136); belongs to the State's
 * thread. Without a policy there is nothing to do.
 *
 * <p>It begins when scheduling does, with what the statuses and the Workloads' conditions say:
 * until then another replica may be writing them.
 */
final class FairUsage {
  private final QueueIndex queues;
  private final Catalog catalog;
  private final Quotas quotas;
  private final @Nullable UsageLedger ledger;
  private final State.Effects effects;

  /** What the queues' statuses say, or shall say. */
  private final Map<ObjectKey, AdmissionFairSharingStatus> samples = new HashMap<>();

  private @Nullable Instant nextSample;
  private Instant lastLook = Instant.EPOCH;

  FairUsage(
      QueueIndex queues,
      Catalog catalog,
      Quotas quotas,
      @Nullable UsagePolicy policy,
      State.Effects effects) {
    this.queues = queues;
    this.catalog = catalog;
    this.quotas = quotas;
    this.ledger = policy == null ? null : new UsageLedger(policy);
    this.effects = effects;
  }

  /**
   * Time has passed: begins, or takes the samples that are due.
   *
   * @return whether it has just begun, so that only now anybody knows what was used
   */
  boolean look(Instant now) {
    if (ledger == null) {
      return false;
    }
    lastLook = now;
    if (nextSample == null) {
      begin(ledger, now);
      sampleNext(ledger, now);
      return true;
    }
    if (!now.isBefore(nextSample)) {
      for (LocalQueueEntry queue : queues.localQueues()) {
        if (queue.object != null) {
          sample(ledger, queue.key, now);
        }
      }
      for (ClusterQueueEntry queue : queues.clusterQueues()) {
        if (queue.object != null) {
          sample(ledger, ObjectKey.cluster(queue.name), now);
        }
      }
      ledger.tidy(now);
      sampleNext(ledger, now);
    }
    return false;
  }

  private void sampleNext(UsageLedger ledger, Instant now) {
    nextSample = now.plus(ledger.policy().samplingInterval());
    effects.scheduleAt(nextSample);
  }

  private void sample(UsageLedger ledger, ObjectKey queue, Instant now) {
    AdmissionFairSharingStatus previous = samples.get(queue);
    AdmissionFairSharingStatus next = ledger.sample(queue, now).map(Consumed::status).orElse(null);
    if (next == null) {
      next = Consumed.nothing(now).status();
    }
    // "Nothing" is written once, so that everybody sees that usage is counted here.
    boolean stillNothing =
        previous != null
            && previous.consumedResources().isEmpty()
            && next.consumedResources().isEmpty();
    if (!stillNothing) {
      samples.put(queue, next);
      effects.queueChanged(queue);
    }
  }

  private void begin(UsageLedger ledger, Instant now) {
    Map<ObjectKey, List<Run>> runs = new HashMap<>();
    for (WorkloadEntry entry : queues.workloads()) {
      heldOnce(entry)
          .ifPresent(
              held -> {
                List<Run> parts = runs(entry, held);
                runs.computeIfAbsent(held.localQueue(), queue -> new ArrayList<>()).addAll(parts);
                runs.computeIfAbsent(
                        ObjectKey.cluster(held.clusterQueue()), queue -> new ArrayList<>())
                    .addAll(parts);
              });
    }
    Map<String, List<ObjectKey>> leading = new TreeMap<>();
    for (LocalQueueEntry queue : queues.localQueues()) {
      if (queue.object != null) {
        AdmissionFairSharingStatus stored = stored(queue.object.status().fairSharing());
        remember(queue.key, stored);
        ledger.open(queue.key, stored, runs.getOrDefault(queue.key, List.of()), now);
        String clusterQueue = queue.object.spec().clusterQueue();
        if (clusterQueue != null) {
          leading.computeIfAbsent(clusterQueue, name -> new ArrayList<>()).add(queue.key);
        }
      }
    }
    for (ClusterQueueEntry queue : queues.clusterQueues()) {
      if (queue.object != null) {
        ObjectKey key = ObjectKey.cluster(queue.name);
        AdmissionFairSharingStatus stored = stored(queue.object.status().fairSharing());
        remember(key, stored);
        ledger.open(
            queue.name,
            stored,
            runs.getOrDefault(key, List.of()),
            leading.getOrDefault(queue.name, List.of()),
            now);
      }
    }
    for (WorkloadEntry entry : queues.workloads()) {
      reservation(entry).ifPresent(held -> ledger.resume(entry.key, held, now));
    }
  }

  private void remember(ObjectKey queue, @Nullable AdmissionFairSharingStatus stored) {
    if (stored != null) {
      samples.put(queue, stored);
    }
  }

  private static @Nullable AdmissionFairSharingStatus stored(@Nullable FairSharingStatus status) {
    return status == null ? null : status.admissionFairSharingStatus();
  }

  /** What is counted for a Workload in its queues has changed, or may have. */
  void refreshed(WorkloadEntry entry, Instant now) {
    if (ledger != null && nextSample != null) {
      ledger.set(entry.key, reservation(entry).orElse(null), now);
    }
  }

  /** A queue is gone. */
  void forget(ObjectKey queue, Instant now) {
    if (ledger != null) {
      ledger.forget(queue, now);
      samples.remove(queue);
    }
  }

  /**
   * Where usage orders admission: the topmost node that says anything about it, on the way from a
   * ClusterQueue to its root; empty if nobody does, or if that one says that it doesn't.
   */
  Optional<NodeId> scopeOf(ClusterQueueEntry queue) {
    if (ledger == null || queue.object == null) {
      return Optional.empty();
    }
    NodeId scope = NodeId.queue(queue.name);
    AdmissionScope said = queue.object.spec().admissionScope();
    for (NodeId above : quotas.tree().ancestors(queue.name)) {
      Cohort cohort = catalog.cohorts().get(above.name());
      if (cohort != null && cohort.spec().admissionScope() != null) {
        scope = above;
        said = cohort.spec().admissionScope();
      }
    }
    return said != null
            && said.admissionMode().equals(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
        ? Optional.of(scope)
        : Optional.empty();
  }

  /**
   * By what a queue is compared with others; 0 where usage isn't counted.
   *
   * @param queue a ClusterQueue if it has no namespace
   */
  double of(ObjectKey queue, Instant now) {
    return ledger == null ? 0 : UsageVector.perWeight(ledger.usage(queue, now), sharing(queue));
  }

  /**
   * By what preemption compares a LocalQueue with others of its ClusterQueue; 0 where usage orders
   * nothing.
   */
  double inForce(ObjectKey localQueue, Instant now) {
    return queues
        .localQueue(localQueue)
        .flatMap(LocalQueueEntry::target)
        .flatMap(queues::clusterQueue)
        .filter(queue -> scopeOf(queue).isPresent())
        .map(queue -> of(localQueue, now))
        .orElse(0.0);
  }

  /**
   * By what a Cohort is compared with others: what the ClusterQueues below it have used, so that
   * one that moves takes its past along.
   */
  double ofCohort(NodeId cohort, Instant now) {
    if (ledger == null) {
      return 0;
    }
    double sum = 0;
    for (String queue : quotas.tree().queuesUnder(cohort)) {
      sum += ledger.usage(ObjectKey.cluster(queue), now);
    }
    Cohort object = catalog.cohorts().get(cohort.name());
    return UsageVector.perWeight(sum, object == null ? null : object.spec().fairSharing());
  }

  /**
   * What the ClusterQueues below a Cohort have used, as their statuses say it; null where usage
   * isn't counted, before it begins to be, and where there is none.
   */
  @Nullable AdmissionFairSharingStatus sampledBelow(NodeId cohort) {
    List<AdmissionFairSharingStatus> below =
        quotas.tree().queuesUnder(cohort).stream()
            .map(queue -> samples.get(ObjectKey.cluster(queue)))
            .filter(Objects::nonNull)
            .toList();
    if (below.isEmpty()) {
      return null;
    }
    Instant newest =
        below.stream()
            .map(AdmissionFairSharingStatus::lastUpdate)
            .reduce(Instant.EPOCH, (one, other) -> one.isAfter(other) ? one : other);
    Map<String, Quantity> sum = new TreeMap<>();
    for (AdmissionFairSharingStatus status : below) {
      status.consumedResources().forEach((name, used) -> sum.merge(name, used, Quantity::add));
    }
    return new AdmissionFairSharingStatus(sum, newest);
  }

  private @Nullable FairSharing sharing(ObjectKey queue) {
    return queue.namespace().isEmpty()
        ? queues
            .clusterQueue(queue.name())
            .map(entry -> entry.object)
            .map(found -> found.spec().fairSharing())
            .orElse(null)
        : queues
            .localQueue(queue)
            .map(entry -> entry.object)
            .map(found -> found.spec().fairSharing())
            .orElse(null);
  }

  /**
   * What there is to say about a queue; null where usage isn't counted.
   *
   * @param queue a ClusterQueue if it has no namespace
   */
  @Nullable QueueUsage report(ObjectKey queue) {
    return ledger == null ? null : new QueueUsage(of(queue, lastLook), samples.get(queue));
  }

  private static Optional<Reservation> reservation(WorkloadEntry entry) {
    Holding held = entry.holding;
    return held == null
        ? Optional.empty()
        : Optional.of(
            new Reservation(
                entry.latest == null ? "" : Uids.of(entry.latest),
                entry.assumed == null ? since(entry, WorkloadConditions.QUOTA_RESERVED) : null,
                held.localQueue(),
                held.clusterQueue(),
                byResource(held.usage()),
                held.admitted()));
  }

  /**
   * What a Workload has run so far, if it has been Admitted. Nobody can tell any more when its pods
   * that are reclaimable by now had stopped. Its entry counts in full, as it did then. What has
   * finished counts as if all pods had run to its end, and what still runs as if only those had
   * that run now: an upper and a lower bound. They are off by what the others did since the last
   * sample, for one interval at most, plus the time for which no core ran.
   */
  private static List<Run> runs(WorkloadEntry entry, Holding held) {
    Instant admitted = since(entry, WorkloadConditions.ADMITTED);
    if (admitted == null || entry.latest == null) {
      return List.of();
    }
    Amounts<String> assigned = byResource(AdmittedUsage.assigned(entry.latest));
    Instant finished = since(entry, WorkloadConditions.FINISHED);
    if (finished != null) {
      return List.of(new Run(assigned, admitted, finished));
    }
    Amounts<String> running = byResource(held.usage());
    return List.of(
        new Run(running, admitted, null), new Run(assigned.minus(running), admitted, admitted));
  }

  /** What it holds; what it held when it finished. */
  private static Optional<Holding> heldOnce(WorkloadEntry entry) {
    Workload workload = entry.latest;
    return workload == null || workload.status().admission() == null
        ? Optional.empty()
        : Optional.of(entry.heldBy(workload.status().admission()));
  }

  private static @Nullable Instant since(WorkloadEntry entry, String condition) {
    return Optional.ofNullable(entry.latest)
        .flatMap(workload -> Conditions.find(workload.status().conditions(), condition))
        .filter(Condition::isTrue)
        .map(Condition::lastTransitionTime)
        .orElse(null);
  }

  private static Amounts<String> byResource(Amounts<FlavorResource> usage) {
    Map<String, Long> sums = new TreeMap<>();
    usage.asMap().forEach((key, amount) -> sums.merge(key.resource(), amount, Amounts::add));
    return Amounts.of(sums);
  }
}
