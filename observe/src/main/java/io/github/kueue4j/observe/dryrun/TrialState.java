// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.core.queue.DemandCalculator;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.QueueReports;
import io.github.kueue4j.core.state.SchedulingSettings;
import io.github.kueue4j.core.state.State;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A State that was told the objects of a cluster. What it reserves is written into these objects;
 * nothing else is carried out, and no time passes.
 *
 * <p>It begins where a core begins that takes over: what the objects don't tell is unknown to it.
 */
@API(status = API.Status.INTERNAL)
public final class TrialState implements State.Effects {
  /** Until a reservation that can't be written is tried again: never, since no time passes. */
  private static final Duration PAUSE = Duration.ofDays(365);

  private final ReadObjects objects;
  private Instant now;
  private final Outbox outbox = new Outbox();
  private final State state;
  private final Map<ObjectKey, Decision> decisions = new HashMap<>();
  private final Map<ObjectKey, Decision.ReserveQuota> reserved = new HashMap<>();
  private final List<ObjectKey> newlyReserved = new ArrayList<>();
  private final List<Target> deferredTargets = new ArrayList<>();
  private final Map<ObjectKey, Duration> pauses = new HashMap<>();
  private final List<String> leftOut = new ArrayList<>();

  private TrialState(SchedulingSettings settings, ReadObjects objects, Instant now) {
    this.objects = objects;
    this.now = now;
    this.state = new State(settings, outbox, this, () -> this.now);
  }

  /** A State that has scheduled all that waits in the cluster. */
  public static TrialState of(Configuration configuration, ReadObjects objects, Instant now) {
    return of(SchedulingSettings.of(configuration), objects, now);
  }

  /** The same where pods get ready as soon as they may run. */
  public static TrialState ofReadyPods(
      Configuration configuration, ReadObjects objects, Instant now) {
    SchedulingSettings settings = SchedulingSettings.of(configuration);
    return of(
        new SchedulingSettings(
            settings.resources(),
            settings.usage(),
            settings.preemption(),
            settings.gates(),
            WaitForPodsReady.never(),
            settings.switchedOff(),
            settings.kinds()),
        objects,
        now);
  }

  private static TrialState of(SchedulingSettings settings, ReadObjects objects, Instant now) {
    TrialState trial = new TrialState(settings, objects, now);
    trial.observe();
    trial.settle();
    return trial;
  }

  private void observe() {
    var config = state.configObjects();
    objects.all(CoreTypes.NAMESPACE).forEach(each -> config.namespace(name(each), labels(each)));
    objects.all(KueueTypes.RESOURCE_FLAVOR).forEach(each -> config.flavor(name(each), each, now));
    objects
        .all(KueueTypes.ADMISSION_CHECK)
        .forEach(each -> config.check(name(each), letThrough(each), now));
    objects.all(KueueTypes.COHORT).forEach(each -> config.cohort(name(each), each, now));
    objects
        .all(KueueTypes.CLUSTER_QUEUE)
        .forEach(each -> config.clusterQueue(name(each), each, now));
    objects
        .all(KueueTypes.LOCAL_QUEUE)
        .forEach(each -> config.localQueue(ObjectKey.of(each), each, now));
    objects
        .all(CoreTypes.LIMIT_RANGE)
        .forEach(each -> config.limitRange(ObjectKey.of(each), each, now));
    objects
        .all(CoreTypes.RUNTIME_CLASS)
        .forEach(each -> config.runtimeClass(name(each), DemandCalculator.overhead(each), now));
    objects.all(KueueTypes.WORKLOAD).stream()
        .sorted(Comparator.comparingLong(each -> ResourceVersions.number(each).orElse(0)))
        .forEach(this::observe);
  }

  /**
   * No check answers here, so one that is asked before quota is taken to let all through, as others
   * are. One that is named for some flavors only stays what it is, since it makes queues inactive.
   */
  private AdmissionCheck letThrough(AdmissionCheck check) {
    boolean flavored =
        objects.all(KueueTypes.CLUSTER_QUEUE).stream()
            .flatMap(queue -> queue.spec().admissionChecks().stream())
            .anyMatch(rule -> rule.name().equals(name(check)) && !rule.onFlavors().isEmpty());
    if (flavored || !CheckStage.beforeQuota(check)) {
      return check;
    }
    Map<String, String> others = new HashMap<>(Metadata.annotations(check));
    others.remove(CheckStage.ANNOTATION);
    others.remove(CheckStage.READY_FOR);
    return check.withMetadata(
        new V1ObjectMeta()
            .name(name(check))
            .annotations(others)
            .deletionTimestamp(check.metadata().getDeletionTimestamp()));
  }

  /** The core, too, goes on without an object that it can't process. */
  private void observe(Workload workload) {
    try {
      state.workloads().observed(workload, now);
    } catch (RuntimeException e) {
      leftOut.add("Workload " + workload.key() + " can't be processed and is left out: " + e);
    }
  }

  /** Schedules a new Workload, as soon as it is there. */
  public void submit(Workload workload) {
    objects.put(KueueTypes.WORKLOAD, workload);
    state.workloads().observed(workload, now);
    settle();
  }

  /** From now on it is this time. */
  public void advance(Instant to) {
    now = to;
  }

  /** A Workload is another now. It isn't scheduled yet. */
  public void changed(Workload workload) {
    reserved.remove(workload.key());
    decisions.remove(workload.key());
    objects.put(KueueTypes.WORKLOAD, workload);
    observe(workload);
  }

  /** A Workload may be tried again. It isn't scheduled yet. */
  public void reconsider(ObjectKey workload) {
    state.workloads().reconsider(workload, now, now);
  }

  /** The Workloads that have got quota since the last call. */
  public List<ObjectKey> newlyReserved() {
    List<ObjectKey> fresh = List.copyOf(newlyReserved);
    newlyReserved.clear();
    return fresh;
  }

  /** The Workloads that shall not be tried before some time has passed, since the last call. */
  public Map<ObjectKey, Duration> pauses() {
    Map<ObjectKey, Duration> fresh = Map.copyOf(pauses);
    pauses.clear();
    return fresh;
  }

  /** The Workloads that hold quota and are to be evicted for others. */
  public List<ObjectKey> victims() {
    List<Target> deferred = List.copyOf(deferredTargets);
    deferredTargets.clear();
    return Stream.concat(
            decisions.values().stream()
                .filter(Decision.Preempt.class::isInstance)
                .flatMap(decision -> ((Decision.Preempt) decision).targets().stream()),
            deferred.stream())
        .map(target -> target.candidate().key())
        .filter(
            key ->
                objects
                    .find(KueueTypes.WORKLOAD, key)
                    .filter(victim -> victim.conditions().holdsQuota())
                    .isPresent())
        .distinct()
        .toList();
  }

  /** Runs the scheduler until it has nothing left to try. */
  public void settle() {
    boolean done = false;
    while (!done) {
      boolean rests = state.schedule(now);
      done = !writeReservations() && rests;
    }
  }

  /** Writes what was reserved, as the Workloads' workers do; whether there was anything. */
  private boolean writeReservations() {
    List<ObjectKey> keys =
        decisions.keySet().stream().filter(key -> outbox.reservation(key) != null).toList();
    keys.forEach(this::writeReservation);
    return !keys.isEmpty();
  }

  private void writeReservation(ObjectKey key) {
    AssumedReservation reservation = Objects.requireNonNull(outbox.reservation(key));
    Decision.ReserveQuota decision = reservation.decision();
    decisions.remove(key);
    List<CheckPolicy> checks =
        objects.find(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(decision.clusterQueue())).stream()
            .flatMap(
                queue ->
                    CheckStrategy.ofAssignment(queue.spec(), decision.admission()).stream()
                        .map(CheckPolicy::of))
            .toList();
    Plan plan =
        objects
            .find(KueueTypes.WORKLOAD, key)
            .map(
                workload ->
                    Lifecycle.reserve(
                        Situation.of(workload, RequiredChecks.of(checks)),
                        decision.admission(),
                        checks,
                        now))
            .orElse(null);
    if (plan instanceof Plan.PatchStatus patch && patch.after().conditions().holdsQuota()) {
      objects.put(KueueTypes.WORKLOAD, patch.after());
      reserved.put(key, decision);
      newlyReserved.add(key);
      deferredTargets.addAll(decision.deferred());
      state.workloads().reservationWritten(reservation, patch.after(), now);
    } else {
      // The core, too, would find that it has changed.
      state.workloads().reservationFailed(reservation, PAUSE, now);
    }
  }

  /** The reservation that a Workload has got; empty if none. */
  public Optional<Decision.ReserveQuota> reserved(ObjectKey workload) {
    return Optional.ofNullable(reserved.get(workload));
  }

  /** The last decision about a Workload without quota; empty if it wasn't tried. */
  public Optional<Decision> refused(ObjectKey workload) {
    return Optional.ofNullable(decisions.get(workload));
  }

  /** The problem with a Workload that isn't queued because of its pods; empty if nothing is. */
  Optional<Outbox.DuePendingReason> problem(ObjectKey workload) {
    return outbox.pendingReason(workload);
  }

  /** What the State says of its queues. */
  public QueueReports reports() {
    return state.reports();
  }

  /** The objects that could not be processed, as sentences without a period. */
  List<String> leftOut() {
    return leftOut;
  }

  private static String name(KubernetesObject object) {
    return ObjectKey.of(object).name();
  }

  static Map<String, String> labels(@Nullable KubernetesObject object) {
    return object == null ? Map.of() : Metadata.labels(object);
  }

  @Override
  public void attempted(Decision decision) {
    decisions.put(decision.workload().key(), decision);
  }

  @Override
  public void wake(ObjectKey workload) {}

  @Override
  public void wakeAt(ObjectKey workload, Instant when) {}

  @Override
  public void retryAfter(ObjectKey workload, Duration pause) {
    pauses.put(workload, pause);
  }

  @Override
  public void scheduleAfter(Duration pause) {}

  @Override
  public void queueChanged(ObjectKey queue) {}

  @Override
  public void cohortChanged(String cohort) {}
}
