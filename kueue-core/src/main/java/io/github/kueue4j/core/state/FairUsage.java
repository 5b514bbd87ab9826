// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.AdmissionFairSharingStatus;
import io.github.kueue4j.api.AdmissionMode;
import io.github.kueue4j.api.AdmissionScope;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.FairSharing;
import io.github.kueue4j.api.FairSharingStatus;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.status.QueueUsage;
import io.github.kueue4j.core.usage.Consumed;
import io.github.kueue4j.core.usage.ExecutionInterval;
import io.github.kueue4j.core.usage.UsageLedger;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.core.usage.UsageVector;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The past usage of the queues, kept in step with the quota that Workloads hold (KEP-4136). Without
 * a policy, no usage is counted. Belongs to the State's thread.
 *
 * <p>Counting begins when scheduling does, with what the statuses and the Workloads' conditions
 * say: until then another replica may be writing them.
 */
final class FairUsage {
  private final QueueIndex queues;
  private final Catalog catalog;
  private final Quotas quotas;
  private final @Nullable UsageLedger ledger;
  private final State.Effects effects;

  /** What the statuses of the queues say, or are going to say. */
  private final Map<ObjectKey, AdmissionFairSharingStatus> samples = new HashMap<>();

  private final InstantSource steady;

  /** When the next samples are due, by the steady clock. */
  private @Nullable Instant nextSample;

  private Instant latest = Instant.EPOCH;

  FairUsage(
      QueueIndex queues,
      Catalog catalog,
      Quotas quotas,
      @Nullable UsagePolicy policy,
      State.Effects effects,
      InstantSource steady) {
    this.queues = queues;
    this.catalog = catalog;
    this.quotas = quotas;
    this.ledger = policy == null ? null : new UsageLedger(policy);
    this.effects = effects;
    this.steady = steady;
  }

  /**
   * Begins counting, or takes the samples that are due.
   *
   * @return whether counting has just begun, so that past usage is known from now on
   */
  boolean advanceTo(Instant now) {
    if (ledger == null) {
      return false;
    }
    latest = now;
    if (nextSample == null) {
      begin(ledger, now);
      sampleNext(ledger);
      return true;
    }
    if (!steady.instant().isBefore(nextSample)) {
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
      sampleNext(ledger);
    }
    return false;
  }

  private void sampleNext(UsageLedger ledger) {
    Duration interval = ledger.policy().samplingInterval();
    nextSample = steady.instant().plus(interval);
    effects.scheduleAfter(interval);
  }

  private void sample(UsageLedger ledger, ObjectKey queue, Instant now) {
    AdmissionFairSharingStatus previous = samples.get(queue);
    AdmissionFairSharingStatus next =
        ledger.sample(queue, now).orElse(Consumed.nothing(now)).statusWith(covered(queue));
    // A usage of nothing is written once, which shows that usage is counted here.
    boolean stillNothing =
        previous != null
            && previous.consumedResources().equals(next.consumedResources())
            && next.consumedResources().values().stream().allMatch(Quantity.ZERO::equals);
    if (!stillNothing) {
      samples.put(queue, next);
      effects.queueChanged(queue);
    }
  }

  /** The resources that the ClusterQueue behind a queue has quota for; empty if it isn't known. */
  private Set<String> covered(ObjectKey queue) {
    Optional<String> clusterQueue =
        queue.namespace().isEmpty()
            ? Optional.of(queue.name())
            : queues.localQueue(queue).flatMap(LocalQueueEntry::target);
    return clusterQueue
        .flatMap(queues::specOf)
        .map(ClusterQueueSpec::coveredResources)
        .orElse(Set.of());
  }

  private void begin(UsageLedger ledger, Instant now) {
    Map<ObjectKey, List<ExecutionInterval>> runs = new HashMap<>();
    for (WorkloadEntry entry : queues.workloads()) {
      WorkloadUsage.heldOnce(entry)
          .ifPresent(
              held -> {
                List<ExecutionInterval> parts = WorkloadUsage.runs(entry, held);
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
      WorkloadUsage.reservation(entry).ifPresent(held -> ledger.resume(entry.key, held, now));
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

  /** The quota that a Workload holds may have changed. */
  void refreshed(WorkloadEntry entry, Instant now) {
    if (ledger != null && nextSample != null) {
      ledger.set(entry.key, WorkloadUsage.reservation(entry).orElse(null), now);
    }
  }

  /** A queue was deleted. */
  void forget(ObjectKey queue, Instant now) {
    if (ledger != null) {
      ledger.forget(queue, now);
      samples.remove(queue);
    }
  }

  /**
   * The node below which usage orders admission: the topmost one with an admission scope, on the
   * way from a ClusterQueue to its root; empty if no node has one, or if that one isn't
   * usage-based.
   */
  Optional<NodeId> scopeOf(ClusterQueueEntry queue) {
    if (ledger == null || queue.object == null) {
      return Optional.empty();
    }
    NodeId scope = NodeId.queue(queue.name);
    AdmissionScope declared = queue.object.spec().admissionScope();
    for (NodeId above : quotas.tree().ancestors(queue.name)) {
      Cohort cohort = catalog.cohorts().get(above.name());
      if (cohort != null && cohort.spec().admissionScope() != null) {
        scope = above;
        declared = cohort.spec().admissionScope();
      }
    }
    return declared != null
            && declared.admissionMode().equals(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
        ? Optional.of(scope)
        : Optional.empty();
  }

  /**
   * The usage by which a queue is compared with others; 0 where usage isn't counted.
   *
   * @param queue a ClusterQueue if it has no namespace
   */
  double of(ObjectKey queue, Instant now) {
    return ledger == null ? 0 : UsageVector.perWeight(ledger.usage(queue, now), sharing(queue));
  }

  /**
   * The usage by which preemption compares a LocalQueue with others of its ClusterQueue; 0 where
   * usage doesn't order admission.
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
   * The usage by which a Cohort is compared with others: that of the ClusterQueues below it. A
   * ClusterQueue that moves to another Cohort takes its past usage along.
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
   * The usage of the ClusterQueues below a Cohort, by their statuses; null where usage isn't
   * counted, before counting begins, and where there are no ClusterQueues.
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
   * The report about the usage of a queue; null where usage isn't counted.
   *
   * @param queue a ClusterQueue if it has no namespace
   */
  @Nullable QueueUsage report(ObjectKey queue) {
    return ledger == null ? null : new QueueUsage(of(queue, latest), samples.get(queue));
  }
}
