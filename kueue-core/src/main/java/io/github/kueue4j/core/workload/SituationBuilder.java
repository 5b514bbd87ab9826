// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ClusterQueueSpec;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.lifecycle.AssignmentValidity;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.LifecycleSettings;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.PodsReadiness;
import io.github.kueue4j.core.lifecycle.QueueSettings;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.owner.WorkloadJob;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.quota.RemainingPods;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.PodSetAdditions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Builds the Situation of a Workload, which the lifecycle decides from. Thread-safe. */
@API(status = API.Status.INTERNAL)
public final class SituationBuilder {

  private final CoreInformers caches;
  private final LifecycleSettings settings;
  private final Outbox outbox;
  private final DemandCalculator demandCalculator;
  private final Jobs jobs;
  private final WaitForPodsReady podsReady;
  private final boolean admissionGates;

  /**
   * Situations from these caches.
   *
   * @param demandCalculator computes the resources that Workloads ask for
   * @param jobs tell whether pods are ready
   * @param podsReady whether the readiness of pods matters (KEP-1282)
   * @param admissionGates whether an annotation can keep a Workload out of its queue
   */
  public SituationBuilder(
      CoreInformers caches,
      LifecycleSettings settings,
      Outbox outbox,
      DemandCalculator demandCalculator,
      Jobs jobs,
      WaitForPodsReady podsReady,
      boolean admissionGates) {
    this.admissionGates = admissionGates;
    this.jobs = jobs;
    this.podsReady = podsReady;
    this.demandCalculator = demandCalculator;
    this.caches = caches;
    this.settings = settings;
    this.outbox = outbox;
  }

  Situation about(Workload workload, Owner owner, ObservedEntries observedEntries) {
    Optional<LocalQueue> localQueue = localQueue(workload);
    Admission admission = workload.status().admission();
    String clusterQueueName =
        Phase.holdsQuota(workload) && admission != null
            ? admission.clusterQueue()
            : localQueue.map(queue -> queue.spec().clusterQueue()).orElse("");
    Optional<ClusterQueue> clusterQueue =
        caches.clusterQueues().get(ObjectKey.cluster(clusterQueueName));
    Situation.Queues queues =
        new Situation.Queues(
            localQueue
                .map(QueueSettings::of)
                .orElseGet(() -> QueueSettings.missing(name(workload))),
            clusterQueue
                .map(QueueSettings::of)
                .orElseGet(() -> QueueSettings.missing(clusterQueueName)),
            clusterQueue
                .map(queue -> validity(workload, queue.spec(), admission))
                .orElseGet(AssignmentValidity::valid));
    return new Situation(
        workload,
        queues,
        observing(
            workload,
            clusterQueue
                .map(queue -> required(queue.spec(), admission))
                .orElseGet(RequiredChecks::none)),
        owner,
        outbox.awaitsVictims(ObjectKey.of(workload)),
        settings,
        readiness(workload, clusterQueue.orElse(null)),
        observedEntries);
  }

  /** The knowledge about a Workload's pods; a Job that doesn't run has none that are ready. */
  private PodsReadiness readiness(Workload workload, @Nullable ClusterQueue queue) {
    return podsReady
        .in(queue == null ? null : queue.spec())
        .map(policy -> new PodsReadiness(policy, pods(jobs.of(workload))))
        .orElse(PodsReadiness.NOT_ASKED);
  }

  private static PodsReadiness.Pods pods(WorkloadJob job) {
    return job.podsReady()
        .map(
            ready ->
                ready && job.running() ? PodsReadiness.Pods.READY : PodsReadiness.Pods.NOT_READY)
        .orElse(PodsReadiness.Pods.UNKNOWN);
  }

  /** The checks that the flavors of an assignment require. */
  List<CheckPolicy> requiredBy(Admission admission) {
    return caches
        .clusterQueues()
        .get(ObjectKey.cluster(admission.clusterQueue()))
        .map(queue -> policies(CheckStrategy.ofAssignment(queue.spec(), admission)))
        .orElse(List.of());
  }

  /** Why the ClusterQueue behind a Workload's LocalQueue can't admit; empty if it can. */
  Optional<Health> inactive(String clusterQueue) {
    return caches
        .clusterQueues()
        .get(ObjectKey.cluster(clusterQueue))
        .map(
            queue ->
                Health.of(
                    queue,
                    flavor -> caches.flavors().get(ObjectKey.cluster(flavor)),
                    this::check,
                    caches::parentOf))
        .filter(health -> !health.active());
  }

  /** The admission gates that keep a Workload out of its queue; empty if there are none. */
  Optional<String> gatedBy(Workload workload) {
    return admissionGates ? AdmissionGates.of(workload) : Optional.empty();
  }

  /** Whether a Workload still asks for what the scheduler decided about. */
  boolean unchanged(Workload workload, Decision.ReserveQuota reservation) {
    QueuedWorkload decided = reservation.workload();
    if (!decided.uid().equals(Uids.of(workload))
        || !decided.localQueue().equals(workload.spec().queueName())
        || gatedBy(workload).isPresent()
        || JobWorkload.awaitsPods(workload)) {
      return false;
    }
    try {
      ClusterQueueSpec queue =
          caches
              .clusterQueues()
              .get(ObjectKey.cluster(reservation.clusterQueue()))
              .map(ClusterQueue::spec)
              .orElse(null);
      return decided
          .podSets()
          .equals(demandCalculator.declared(demandCalculator.of(workload), queue));
    } catch (RuntimeException invalidDemand) {
      // The State fails on the same and says so in the Workload's status.
      return false;
    }
  }

  /**
   * Why a reserved Workload can never start: its flavors and the answers that it would be admitted
   * with add contradictory values to its pods (KEP-993, {@code podSetUpdates}).
   */
  Optional<FinishedOwner> conflict(Situation situation) {
    Workload workload = situation.workload();
    Admission admission = workload.status().admission();
    if (situation.phase() != Phase.RESERVED || admission == null) {
      return Optional.empty();
    }
    return PodSetAdditions.conflict(
            workload.withStatus(workload.status().withAdmissionChecks(situation.agreed())),
            admission,
            this::flavor)
        .map(why -> new FinishedOwner(Jobs.FAILED_TO_START, why));
  }

  @Nullable ResourceFlavor flavor(String name) {
    return caches.flavors().get(ObjectKey.cluster(name)).orElse(null);
  }

  private Optional<LocalQueue> localQueue(Workload workload) {
    return caches
        .localQueues()
        .get(new ObjectKey(ObjectKey.of(workload).namespace(), name(workload)));
  }

  private static String name(Workload workload) {
    String name = workload.spec().queueName();
    return name == null ? "" : name;
  }

  private RequiredChecks required(ClusterQueueSpec spec, @Nullable Admission admission) {
    if (spec.admissionChecks().isEmpty()) {
      return RequiredChecks.none();
    }
    return RequiredChecks.of(
            admission == null ? List.of() : policies(CheckStrategy.ofAssignment(spec, admission)),
            policies(CheckStrategy.ofAnyFlavor(spec)))
        .askingBeforeQuota(
            CheckStrategy.beforeQuota(spec, this::check).stream()
                .collect(Collectors.toMap(Function.identity(), this::readyFor)));
  }

  private Duration readyFor(String check) {
    return check(check).map(CheckStage::readyFor).orElse(CheckStage.DEFAULT_READY_FOR);
  }

  private Optional<AdmissionCheck> check(String name) {
    return caches.checks().get(ObjectKey.cluster(name));
  }

  private RequiredChecks observing(Workload workload, RequiredChecks checks) {
    List<AdmissionCheckState> states = workload.status().admissionChecks();
    if (states.isEmpty() && checks.equals(RequiredChecks.none())) {
      return checks;
    }
    Stream<String> entries = states.stream().map(AdmissionCheckState::name);
    Stream<String> required =
        Stream.concat(checks.byAssignment().keySet().stream(), checks.byQueue().keySet().stream());
    return checks.observing(
        Stream.concat(entries, required)
            .filter(this::observes)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** Whether an AdmissionCheck is in the mode Observe. */
  boolean observes(String check) {
    return check(check).filter(CheckMode::observes).isPresent();
  }

  private List<CheckPolicy> policies(Set<String> checks) {
    return checks.stream().map(this::policy).toList();
  }

  private CheckPolicy policy(String check) {
    return check(check).map(CheckPolicy::of).orElseGet(() -> CheckPolicy.of(check));
  }

  /**
   * Decides whether the assignment could still be made (KEP-993). The assignment of an admitted
   * Workload is not verified again.
   */
  private AssignmentValidity validity(
      Workload workload, ClusterQueueSpec spec, @Nullable Admission admission) {
    if (admission == null || workload.conditions().admitted()) {
      return AssignmentValidity.valid();
    }
    if (changedSinceReserved(workload)) {
      return AssignmentValidity.invalid(
          "SpecChanged",
          "The spec of the workload has changed since its quota was reserved: it is reserved and"
              + " checked anew");
    }
    Set<String> checks = CheckStrategy.ofAssignment(spec, admission);
    if (checks.size() > CheckStrategy.LIMIT) {
      return AssignmentValidity.invalid(
          WorkloadConditions.MISCONFIGURED,
          "The assigned flavors have come to require %d AdmissionChecks, more than the %d that the status of a workload holds"
              .formatted(checks.size(), CheckStrategy.LIMIT));
    }
    Set<String> assigned =
        admission.podSetAssignments().stream()
            .map(PodSetAssignment::name)
            .collect(Collectors.toUnmodifiableSet());
    for (PodSet podSet : workload.spec().podSets()) {
      if (!assigned.contains(podSet.name())) {
        return AssignmentValidity.invalid(
            WorkloadConditions.MISCONFIGURED,
            "Quota was reserved without an assignment for pod set " + podSet.name());
      }
    }
    return enoughPods(workload, admission)
        .<AssignmentValidity>map(
            shortage -> AssignmentValidity.invalid("WaitingForQuota", shortage))
        .orElseGet(() -> flavorsValid(workload, spec, admission));
  }

  /**
   * Whether another spec than this one got the quota, and is what the checks were asked about. Both
   * numbers are in the object, so a core that is replaced in between sees it, too. Where the
   * condition names no generation nothing is known.
   */
  private static boolean changedSinceReserved(Workload workload) {
    @Nullable Long generation = workload.metadata().getGeneration();
    return workload
        .conditions()
        .findTrue(WorkloadConditions.QUOTA_RESERVED)
        .map(Condition::observedGeneration)
        .filter(reserved -> generation != null && !reserved.equals(generation))
        .isPresent();
  }

  /** Says that more pods could run than quota was reserved for; empty if the quota suffices. */
  private static Optional<String> enoughPods(Workload workload, Admission admission) {
    RemainingPods remaining = RemainingPods.of(workload);
    for (PodSet podSet : workload.spec().podSets()) {
      int running = remaining.in(podSet);
      int fewest = Math.min(running, Objects.requireNonNullElse(podSet.minCount(), running));
      for (PodSetAssignment assignment : admission.podSetAssignments()) {
        Integer assigned = assignment.count();
        if (assignment.name().equals(podSet.name()) && assigned != null && assigned < fewest) {
          return Optional.of(
              "Quota was reserved for %d pods of pod set %s, of which at least %d would run by now"
                  .formatted(assigned, podSet.name(), fewest));
        }
      }
    }
    return Optional.empty();
  }

  private AssignmentValidity flavorsValid(
      Workload workload, ClusterQueueSpec spec, Admission admission) {
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      for (Map.Entry<String, String> assigned : podSet.flavors().entrySet()) {
        String resource = assigned.getKey();
        String flavor = assigned.getValue();
        boolean offered =
            spec.resourceGroups().stream()
                .flatMap(group -> group.flavors().stream())
                .anyMatch(
                    offer -> offer.name().equals(flavor) && offer.resource(resource).isPresent());
        if (!offered || flavor(flavor) == null) {
          return AssignmentValidity.invalid(
              "NoMatchingFlavor",
              "flavor " + flavor + " for " + resource + " is gone since the quota was reserved");
        }
      }
    }
    if (outbox.unpreemptable(ObjectKey.of(workload))) {
      return AssignmentValidity.invalid(
          "WaitingForQuota",
          "No workload is left that could be preempted for this reservation in ClusterQueue "
              + admission.clusterQueue()
              + ", and the quota doesn't cover it without preemption");
    }
    return outbox.overcommitted(ObjectKey.of(workload))
        ? AssignmentValidity.invalid(
            "WaitingForQuota",
            "The quota of ClusterQueue "
                + admission.clusterQueue()
                + " shrank and doesn't cover this reservation any more")
        : AssignmentValidity.valid();
  }
}
