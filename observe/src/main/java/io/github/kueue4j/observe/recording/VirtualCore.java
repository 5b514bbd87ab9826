// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.lifecycle.AssignmentValidity;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.PodsReadiness;
import io.github.kueue4j.core.lifecycle.QueueSettings;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.queue.AdmissionGates;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.SchedulingSettings;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A core in virtual time: the State and the lifecycle, with neither an API server nor threads nor
 * Jobs between them. What it writes takes effect at once. What Jobs, users and checks do is told to
 * it from outside.
 */
final class VirtualCore implements State.Effects {
  /** More turns at one instant are an endless loop of decisions. */
  private static final int TURNS = 10_000;

  /** More steps than any chain of rules has. */
  private static final int STEPS = 16;

  /** The world outside of the core, which acts when the core has written a Workload. */
  @FunctionalInterface
  interface Outside {
    void written(Workload before, Workload after);
  }

  private record DueAction(Instant at, long number, Runnable action) {}

  private final ReadObjects administration;
  private final Outside outside;
  private final Configuration configuration;
  private final Outbox outbox = new Outbox();
  private final State state;
  private final Map<ObjectKey, Workload> workloads = new HashMap<>();
  private final Map<ObjectKey, ObservedEntries> observed = new HashMap<>();
  private final Set<ObjectKey> stopped = new HashSet<>();
  private final Set<ObjectKey> ready = new HashSet<>();
  private final Deque<ObjectKey> awake = new ArrayDeque<>();
  private final Set<ObjectKey> awakeOnce = new HashSet<>();
  private final PriorityQueue<DueAction> agenda =
      new PriorityQueue<>(Comparator.comparing(DueAction::at).thenComparingLong(DueAction::number));
  private Instant now;
  private long numbers;
  private long versions;

  /**
   * A core that knows no object yet.
   *
   * @param administration the objects of administrators; the caller changes them
   */
  VirtualCore(
      Configuration configuration, ReadObjects administration, Instant from, Outside outside) {
    this.configuration = configuration;
    this.administration = administration;
    this.outside = outside;
    this.now = from;
    this.state = new State(SchedulingSettings.of(configuration), outbox, this, () -> this.now);
  }

  Instant now() {
    return now;
  }

  /** The State, to be told what administrators change. */
  State state() {
    return state;
  }

  /** Has something happen at a time; at once if that is past. */
  void at(Instant when, Runnable action) {
    agenda.add(new DueAction(when.isBefore(now) ? now : when, ++numbers, action));
  }

  /** Lets time pass up to and including this instant. */
  void run(Instant end) {
    settle();
    while (!agenda.isEmpty() && !agenda.peek().at().isAfter(end)) {
      DueAction event = agenda.remove();
      now = event.at();
      event.action().run();
      settle();
    }
    now = end;
  }

  /** The Workload as it is now; empty if it is gone or has finished. */
  Optional<Workload> workload(ObjectKey key) {
    return Optional.ofNullable(workloads.get(key));
  }

  /** Takes a version of a Workload that a user, a Job or a check has written. */
  void put(Workload workload) {
    ObjectKey key = workload.key();
    Workload stored = store(workload);
    state.workloads().observed(stored, now);
    wake(key);
  }

  /** A Workload was deleted, and no pod of it runs any more. */
  void delete(ObjectKey key) {
    if (workloads.remove(key) != null) {
      forget(key);
      state.workloads().deleted(key, now);
    }
  }

  private void forget(ObjectKey key) {
    observed.remove(key);
    stopped.remove(key);
    ready.remove(key);
  }

  /** The Job of an evicted Workload has stopped. */
  void stopped(ObjectKey key) {
    stopped.add(key);
    wake(key);
  }

  /** The pods of an admitted Workload are ready. */
  void ready(ObjectKey key) {
    ready.add(key);
    wake(key);
  }

  /** The Job of a Workload has finished. */
  void finish(ObjectKey key) {
    Workload workload = workloads.get(key);
    if (workload != null
        && Lifecycle.finish(situation(workload), new FinishedOwner("Succeeded", "as recorded"), now)
            instanceof Plan.PatchStatus patch) {
      written(workload, patch.after());
      delete(key);
    }
  }

  private void settle() {
    for (int turn = 0; turn < TURNS; turn++) {
      boolean done = state.schedule(now);
      boolean worked = !awake.isEmpty();
      while (!awake.isEmpty()) {
        ObjectKey key = awake.remove();
        awakeOnce.remove(key);
        work(key);
      }
      if (done && !worked) {
        return;
      }
    }
    throw new IllegalStateException("the scheduler goes in circles at " + now);
  }

  /** Does the work of a Workload's one worker, with the precedence that it has there. */
  private void work(ObjectKey key) {
    for (int step = 0; step < STEPS; step++) {
      Workload workload = workloads.get(key);
      if (workload == null || !step(key, workload)) {
        return;
      }
    }
    throw new IllegalStateException("Workload " + key + " doesn't settle at " + now);
  }

  /** One step; false if there is nothing left to do. */
  private boolean step(ObjectKey key, Workload workload) {
    Situation situation = situation(workload);
    AssumedReservation reservation = outbox.reservation(key);
    if (reservation != null) {
      reserve(reservation, situation);
      return true;
    }
    PreemptionOrder order = outbox.preemption(key);
    Plan plan;
    if (order != null && order.concerns(workload)) {
      plan = Lifecycle.preempt(situation, order.preemption(), now);
    } else {
      plan = Lifecycle.plan(situation, now);
      if (plan instanceof Plan.Nothing && asksBeforeQuota(situation)) {
        plan = Lifecycle.ask(situation, now);
      }
    }
    if (order != null) {
      outbox.settle(key, order);
    }
    observed.put(key, plan.observed());
    return switch (plan) {
      case Plan.PatchStatus patch -> {
        observed.put(key, patch.applied());
        written(workload, patch.after());
        yield true;
      }
      case Plan.PatchSpec patch -> {
        written(workload, patch.after());
        yield true;
      }
      case Plan.Nothing nothing -> {
        if (order != null) {
          state.workloads().preemptionFailed(order, Duration.ofSeconds(1), now);
        }
        Instant wakeAt = nothing.wakeAt();
        if (wakeAt != null) {
          at(wakeAt, () -> wake(key));
        }
        yield false;
      }
    };
  }

  private void reserve(AssumedReservation reservation, Situation situation) {
    Workload workload = situation.workload();
    ObjectKey key = workload.key();
    Admission admission = reservation.decision().admission();
    List<CheckPolicy> checks =
        clusterQueue(admission.clusterQueue())
            .map(queue -> policies(CheckStrategy.ofAssignment(queue.spec(), admission)))
            .orElse(List.of());
    if (Lifecycle.reserve(situation, admission, checks, now) instanceof Plan.PatchStatus patch) {
      observed.put(key, patch.applied());
      Workload stored = store(patch.after());
      state.workloads().reservationWritten(reservation, stored, now);
      outside.written(workload, stored);
    } else {
      state.workloads().reservationFailed(reservation, Duration.ofSeconds(1), now);
    }
  }

  private void written(Workload before, Workload after) {
    Workload stored = store(after);
    if (!stored.conditions().reserved()) {
      stopped.remove(stored.key());
      ready.remove(stored.key());
    }
    state.workloads().written(stored, now);
    outside.written(before, stored);
  }

  private Workload store(Workload workload) {
    V1ObjectMeta metadata = KueueJson.copyOf(workload.metadata(), V1ObjectMeta.class);
    metadata.setResourceVersion(String.valueOf(++versions));
    Workload stored = workload.withMetadata(metadata);
    workloads.put(stored.key(), stored);
    return stored;
  }

  // What a decision about a Workload depends on.

  private boolean asksBeforeQuota(Situation situation) {
    return !situation.checks().beforeQuota().isEmpty()
        && situation.phase() == Phase.QUEUED
        && !JobWorkload.awaitsPods(situation.workload())
        && (!configuration.featureGates().enabled(FeatureGate.ADMISSION_GATED_BY)
            || AdmissionGates.of(situation.workload()).isEmpty())
        && situation.localQueue().exists()
        && !Health.stopped(situation.localQueue().stopPolicy())
        && clusterQueue(situation.clusterQueue().name()).filter(this::active).isPresent();
  }

  private boolean active(ClusterQueue queue) {
    return Health.of(
            queue,
            flavor -> administration.find(KueueTypes.RESOURCE_FLAVOR, ObjectKey.cluster(flavor)),
            this::check,
            this::parentOf)
        .active();
  }

  private @Nullable String parentOf(String cohort) {
    return administration
        .find(KueueTypes.COHORT, ObjectKey.cluster(cohort))
        .map(Cohort::spec)
        .map(spec -> spec.parentName())
        .orElse(null);
  }

  private Situation situation(Workload workload) {
    ObjectKey key = workload.key();
    Admission admission = workload.status().admission();
    String localName = Optional.ofNullable(workload.spec().queueName()).orElse("");
    Optional<LocalQueue> local =
        administration.find(KueueTypes.LOCAL_QUEUE, new ObjectKey(key.namespace(), localName));
    String clusterName =
        Phase.holdsQuota(workload) && admission != null
            ? admission.clusterQueue()
            : local.map(queue -> queue.spec().clusterQueue()).orElse("");
    Optional<ClusterQueue> cluster = clusterQueue(clusterName);
    return Situation.of(
            workload,
            local.map(QueueSettings::of).orElseGet(() -> QueueSettings.missing(localName)),
            cluster.map(QueueSettings::of).orElseGet(() -> QueueSettings.missing(clusterName)),
            checks(workload, cluster))
        .withAssignment(
            outbox.unpreemptable(key) || outbox.overcommitted(key)
                ? AssignmentValidity.invalid("WaitingForQuota", "the quota is gone")
                : AssignmentValidity.valid())
        .withOwner(
            stopped.contains(key) || !workload.conditions().admitted()
                ? Owner.STOPPED
                : Owner.RUNNING)
        .withVictimsHoldQuota(outbox.awaitsVictims(key))
        .withSettings(configuration.lifecycle())
        .withReadiness(readiness(key, cluster))
        .withObservedEntries(observed.getOrDefault(key, ObservedEntries.none()));
  }

  private PodsReadiness readiness(ObjectKey key, Optional<ClusterQueue> cluster) {
    return configuration
        .podsReady()
        .in(cluster.map(ClusterQueue::spec).orElse(null))
        .map(
            policy ->
                new PodsReadiness(
                    policy,
                    ready.contains(key) ? PodsReadiness.Pods.READY : PodsReadiness.Pods.NOT_READY))
        .orElse(PodsReadiness.NOT_ASKED);
  }

  private RequiredChecks checks(Workload workload, Optional<ClusterQueue> cluster) {
    if (cluster.isEmpty()) {
      return RequiredChecks.none();
    }
    var spec = cluster.get().spec();
    Admission admission = workload.status().admission();
    Set<String> byQueue = CheckStrategy.ofAnyFlavor(spec);
    Set<String> byAssignment =
        admission == null ? Set.of() : CheckStrategy.ofAssignment(spec, admission);
    Set<String> observing =
        Stream.of(
                byQueue.stream(),
                byAssignment.stream(),
                workload.status().admissionChecks().stream().map(AdmissionCheckState::name))
            .flatMap(Function.identity())
            .filter(name -> check(name).filter(CheckMode::observes).isPresent())
            .collect(Collectors.toSet());
    return RequiredChecks.of(policies(byAssignment), policies(byQueue))
        .observing(observing)
        .askingBeforeQuota(
            CheckStrategy.beforeQuota(spec, this::check).stream()
                .collect(
                    Collectors.toMap(
                        Function.identity(),
                        name ->
                            check(name)
                                .map(CheckStage::readyFor)
                                .orElse(CheckStage.DEFAULT_READY_FOR))));
  }

  private List<CheckPolicy> policies(Set<String> checks) {
    return checks.stream()
        .map(name -> check(name).map(CheckPolicy::of).orElseGet(() -> CheckPolicy.of(name)))
        .toList();
  }

  private Optional<AdmissionCheck> check(String name) {
    return administration.find(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name));
  }

  private Optional<ClusterQueue> clusterQueue(String name) {
    return administration.find(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name));
  }

  // What follows from changes of the State.

  @Override
  public void wake(ObjectKey workload) {
    if (awakeOnce.add(workload)) {
      awake.add(workload);
    }
  }

  @Override
  public void wakeAt(ObjectKey workload, Instant when) {
    // Wakes a worker to write words for people, which nothing here reads.
  }

  @Override
  public void retryAfter(ObjectKey workload, Duration pause) {
    Instant due = now.plus(pause);
    at(due, () -> state.workloads().reconsider(workload, due, now));
  }

  @Override
  public void scheduleAfter(Duration pause) {
    at(now.plus(pause), () -> {});
  }

  @Override
  public void queueChanged(ObjectKey queue) {}

  @Override
  public void cohortChanged(String cohort) {}

  @Override
  public void attempted(Decision decision) {}
}
