// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.queue.PodSetDemand;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.queue.WorkloadPriority;
import io.github.kueue4j.core.quota.AdmittedUsage;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.status.Health;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The facts about one Workload that the {@link State} knows; belongs to the State's thread. */
final class WorkloadEntry {
  final ObjectKey key;

  /** The newest version seen; null only until the first version is taken in. */
  @Nullable Workload latest;

  /** The number of the first version seen, in the order of which the server stored them. */
  long firstVersion;

  /** A reservation that was decided but that no version of the object shows yet. */
  @Nullable AssumedReservation assumed;

  /** What is counted for it in its queues; null while it holds no quota. */
  @Nullable Holding holding;

  /** Whether the quota was free when it was reserved; false if that isn't known any more. */
  boolean tookFreeQuota;

  /** Limits preemption by a Workload that preempts and is preempted in turns. */
  final PreemptionLivelockGuard livelockGuard = new PreemptionLivelockGuard();

  /** The ClusterQueue in which it waits; null while it doesn't. */
  @Nullable String waitsIn;

  /** The ClusterQueue that it goes back to after its backoff; null while it isn't in backoff. */
  @Nullable String backsOffIn;

  /** The LocalQueue that it names. */
  @Nullable ObjectKey localQueue;

  /**
   * After a reservation or a preemption could not be carried out: when to try again, by the clock
   * of pauses.
   */
  @Nullable Instant notBefore;

  /** When a reservation of it was last cancelled, by the clock of pauses. */
  @Nullable Instant cancelledAt;

  private List<PodSetDemand> demands = List.of();
  private @Nullable Basis demandsOf;

  /** The facts that demands were computed from. */
  private record Basis(List<PodSet> podSets, List<ReclaimablePod> reclaimable) {}

  WorkloadEntry(ObjectKey key) {
    this.key = key;
  }

  /**
   * Quota that a Workload holds.
   *
   * @param clusterQueue whose quota
   * @param localQueue the LocalQueue that it came through
   * @param usage how much
   * @param admitted whether it may run
   */
  record Holding(
      String clusterQueue, ObjectKey localQueue, Amounts<FlavorResource> usage, boolean admitted) {}

  /** Since when it holds quota; a reservation that isn't written yet is the youngest. */
  Instant reservedSince() {
    return Optional.ofNullable(latest)
        .flatMap(workload -> workload.conditions().find(WorkloadConditions.QUOTA_RESERVED))
        .filter(Condition::isTrue)
        .map(Condition::lastTransitionTime)
        .orElse(Instant.MAX);
  }

  /** The assignment that it holds quota for. */
  Optional<Admission> currentAdmission() {
    Workload workload = latest;
    return workload != null && Phase.holdsQuota(workload)
        ? Optional.ofNullable(workload.status().admission())
        : Optional.ofNullable(assumed).map(reservation -> reservation.decision().admission());
  }

  /** The quota that it holds by its newest version, or else by the assumed reservation. */
  Optional<Holding> currentHolding() {
    Workload workload = latest;
    if (workload != null && Phase.holdsQuota(workload)) {
      return Optional.ofNullable(workload.status().admission()).map(this::heldBy);
    }
    return Optional.ofNullable(assumed)
        .map(AssumedReservation::decision)
        .map(
            decision ->
                new Holding(decision.clusterQueue(), namedLocalQueue(), decision.usage(), false));
  }

  /** The quota that an admission in its status represents. */
  Holding heldBy(Admission admission) {
    Workload workload = Objects.requireNonNull(latest, "latest");
    return new Holding(
        admission.clusterQueue(),
        namedLocalQueue(),
        AdmittedUsage.of(workload),
        workload.conditions().admitted());
  }

  private ObjectKey namedLocalQueue() {
    return localQueue == null ? new ObjectKey(key.namespace(), "") : localQueue;
  }

  /**
   * The Workload as preemption sees it while it holds quota.
   *
   * @param keepsPlace whether it goes back to its old place if its pods don't get ready
   * @param boosts whether its priority can be boosted
   */
  Candidate candidate(Holding holding, boolean keepsPlace, boolean boosts) {
    Workload workload = Objects.requireNonNull(latest, "latest");
    return new Candidate(
        key,
        Uids.of(workload),
        holding.clusterQueue(),
        holding.localQueue(),
        WorkloadPriority.of(workload, boosts).effective(),
        QueueOrder.queuedSince(workload, keepsPlace),
        reservedSince(),
        holding.usage(),
        leaving(workload));
  }

  /** Whether the Workload releases its quota as soon as its owner has stopped. */
  static boolean leaving(Workload workload) {
    // Without quota, Evicted is from an earlier admission: a newer reservation isn't written yet.
    return (Phase.holdsQuota(workload) && workload.conditions().evicted())
        || !workload.spec().active()
        || Health.terminating(workload);
  }

  /** Its condition Preempted, while it is evicted and holds its quota until it stops. */
  Optional<Condition> preemptionUnderWay() {
    // The reservation that comes next makes both conditions False.
    return Optional.ofNullable(latest)
        .filter(workload -> Phase.holdsQuota(workload) && workload.conditions().evicted())
        .flatMap(workload -> workload.conditions().findTrue(WorkloadConditions.PREEMPTED));
  }

  /**
   * The demands of its pod sets, computed anew only when the pod sets have changed, or how many of
   * their pods can still run, or what else they depend on.
   */
  List<PodSetDemand> demands(DemandCalculator how) {
    Workload workload = Objects.requireNonNull(latest, "latest");
    Basis basis = new Basis(workload.spec().podSets(), workload.status().reclaimablePods());
    if (!basis.equals(demandsOf)) {
      demands = how.of(workload);
      demandsOf = basis;
    }
    return demands;
  }

  /** An object that its demands depend on has changed. */
  void forgetDemands() {
    demandsOf = null;
  }
}
