// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Cohort;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.AssignmentValidity;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.QueueSettings;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.quota.CohortQuotas;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.quota.QueueQuotas;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.State;
import io.github.kueue4j.core.testing.PlainSettings;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.jobs.FinishedOwner;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in virtual time around the real State and the real lifecycle: Workloads arrive, run,
 * are preempted, stop after a while and finish. Nothing but the API server and the threads is
 * missing. After every reservation the quota is audited from accounts of its own.
 */
public final class Simulation implements State.Effects {
  public static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  static final FlavorResource CPU = QuotaAudit.CPU;

  /** A bound of turns at one instant that only an endless loop of decisions exceeds. */
  private static final int TURNS = 10_000;

  private final PreemptionSettings settings;
  private final @Nullable UsagePolicy usage;
  private final Duration stopping;
  private final SimulatedObjects objects = new SimulatedObjects();
  private final QuotaAudit audit = new QuotaAudit();
  private final Agenda agenda = new Agenda(START);
  private Outbox outbox;
  private State state;
  private final Map<ObjectKey, Workload> workloads = new HashMap<>();

  /** Those that have finished, which the core has forgotten. */
  private final List<Workload> past = new ArrayList<>();

  private final Map<ObjectKey, Stay> stays = new HashMap<>();
  private final Deque<ObjectKey> awake = new ArrayDeque<>();
  private final Set<ObjectKey> asleepNoMore = new HashSet<>();
  private final Map<String, List<String>> reservations = new LinkedHashMap<>();
  private final Map<String, Double> cpuSeconds = new HashMap<>();

  private final Set<ObjectKey> leaving = new HashSet<>();
  private final Map<ObjectKey, Instant> pausing = new HashMap<>();
  private Runnable atRest = () -> {};
  private Consumer<Workload> seen = workload -> {};
  private Consumer<List<Decision>> decided = decisions -> {};
  private long versions;
  private Check check = (workload, ask) -> CheckAnswer.READY_AT_ONCE;
  private int finished;
  private int preemptions;
  private int deferred;

  /** A Workload that waits for quota, with what decides when it gets some. */
  record Waiting(String name, int priority, Instant since, int cpus) {
    /** The order within a queue. */
    static final Comparator<Waiting> ORDER =
        Comparator.comparingInt(Waiting::priority)
            .reversed()
            .thenComparing(Waiting::since)
            .thenComparing(Waiting::name);
  }

  /** A check, which answers each reservation of a Workload. */
  @FunctionalInterface
  public interface Check {
    /**
     * The answer to a reservation.
     *
     * @param ask how many of the Workload's reservations have had an answer before
     */
    CheckAnswer answer(ObjectKey workload, int ask);
  }

  /**
   * The answer of a check.
   *
   * @param after how long it takes to answer
   * @param delay seconds that a Retry asks for; null: none
   */
  public record CheckAnswer(Duration after, CheckState state, @Nullable Integer delay) {
    static final CheckAnswer READY_AT_ONCE = new CheckAnswer(Duration.ZERO, CheckState.READY, null);
  }

  /** A Workload's present stay in quota; another one is another object. */
  private static final class Stay {
    final Duration runtime;
    final String queue;
    final String localQueue;
    final Waiting waiting;
    Instant since = START;
    long reservation;
    boolean runs;
    int answered;

    Stay(String queue, String localQueue, Duration runtime, Waiting waiting) {
      this.waiting = waiting;
      this.queue = queue;
      this.localQueue = localQueue;
      this.runtime = runtime;
    }
  }

  /**
   * An empty cluster.
   *
   * @param stopping how long a Job takes to stop
   */
  public Simulation(PreemptionSettings settings, Duration stopping) {
    this(settings, null, stopping);
  }

  /**
   * An empty cluster.
   *
   * @param usage how past usage counts; null: it doesn't
   * @param stopping how long a Job takes to stop
   */
  Simulation(PreemptionSettings settings, @Nullable UsagePolicy usage, Duration stopping) {
    this.settings = settings;
    this.usage = usage;
    this.stopping = stopping;
    this.outbox = new Outbox();
    this.state = start();
  }

  private State start() {
    State fresh = new State(PlainSettings.with(usage, settings), outbox, this, this::now);
    objects.tellBasics(fresh, now());
    return fresh;
  }

  /** After {@code delay} another core takes over, which knows nothing but the objects. */
  void restarts(Duration delay) {
    at(START.plus(delay), this::restart);
  }

  private void restart() {
    outbox = new Outbox();
    state = start();
    workloads.values().forEach(workload -> state.workloads().observed(workload, now()));
    objects.tellQueues(state, now());
    workloads.keySet().forEach(this::wake);
  }

  /** Another core takes over now, and decides about all that waits. */
  public void takeOver() {
    restart();
    settle();
  }

  /**
   * A check {@code nodes} for which preemption waits (KEP-993).
   *
   * @param thinking how long it takes to answer; it refuses every second Workload once
   */
  public void deferringCheck(Duration thinking) {
    check(
        (workload, ask) ->
            new CheckAnswer(
                thinking,
                ask == 0 && workload.hashCode() % 2 == 0 ? CheckState.RETRY : CheckState.READY,
                null));
  }

  /** A check {@code nodes} for which preemption waits, too, with these answers. */
  public void check(Check answers) {
    check = answers;
    objects.deferringCheck();
    objects.tellCheck(state, now());
  }

  /** How many reservations were made of quota that others still held. */
  int deferred() {
    return deferred;
  }

  /**
   * A Cohort without quota of its own.
   *
   * @param spec as the inside of a YAML flow mapping
   */
  public void cohort(String name, String spec) {
    Cohort cohort = objects.cohort(name, spec);
    audit.cohort(CohortQuotas.of(name, cohort.spec()));
    state.configObjects().cohort(name, cohort, now());
  }

  /**
   * A ClusterQueue with a LocalQueue of the same name.
   *
   * @param limits further fields of its quota, {@code more} of its spec, both as the inside of a
   *     YAML flow mapping
   */
  public void queue(String name, String cohort, int cpus, String limits, String more) {
    ClusterQueue queue = objects.queue(name, cohort, cpus, limits, more);
    audit.queue(QueueQuotas.of(name, queue.spec()));
    state.configObjects().clusterQueue(name, queue, now());
    reservations.put(name, new ArrayList<>());
    localQueue(name, name);
  }

  /** One more LocalQueue of a ClusterQueue. */
  void localQueue(String name, String clusterQueue) {
    objects.localQueue(name, clusterQueue);
    objects.tellLocalQueue(state, name, now());
  }

  /** A Workload comes after {@code delay}. */
  public void arrives(
      Duration delay, String name, String queue, int priority, int cpus, Duration runtime) {
    at(
        START.plus(delay),
        () -> {
          Workload workload = SimulatedObjects.workload(name, queue, priority, cpus, now());
          stays.put(
              ObjectKey.of(workload),
              new Stay(
                  objects.clusterQueueOf(queue),
                  queue,
                  runtime,
                  new Waiting(name, priority, now(), cpus)));
          state.workloads().observed(store(workload), now());
        });
  }

  /** A client, which reads objects. */
  public interface Client {
    /** The cluster has this object. */
    <T extends KubernetesObject> void put(ResourceType<T> type, T object);
  }

  /** Whether a Workload pauses, which no object tells. */
  public boolean pauses() {
    return pausing.values().stream().anyMatch(until -> !until.isBefore(now()));
  }

  /** Shows a client everything that it reads now. */
  public <C extends Client> C readBy(C client) {
    objects.tell(client);
    past.forEach(workload -> client.put(KueueTypes.WORKLOAD, workload));
    workloads.values().forEach(workload -> client.put(KueueTypes.WORKLOAD, workload));
    return client;
  }

  /** Calls {@code action} after {@code delay}. */
  public void after(Duration delay, Runnable action) {
    at(START.plus(delay), action);
  }

  /** Runs until nothing happens any more, at most until {@code end} after the start. */
  public void run(Duration end) {
    agenda.run(START.plus(end), this::settle);
  }

  /** Calls {@code look} whenever nothing is left to do at an instant. */
  void whenAtRest(Runnable look) {
    atRest = look;
  }

  /** Passes the decisions of each cycle to {@code look} before they take effect. */
  public void whenDecided(Consumer<List<Decision>> look) {
    decided = look;
  }

  public Instant now() {
    return agenda.now();
  }

  /** Whether victims are on their way out, and so nothing is final. */
  boolean evicting() {
    return !leaving.isEmpty();
  }

  /** CPUs of what runs in a ClusterQueue, or is on its way out. */
  int running(String queue) {
    return audit.held(queue);
  }

  /** CPUs that the scheduler has given to a ClusterQueue, be it written or not. */
  int reserved(String queue) {
    return (int)
        (state.reports().clusterQueue(queue).orElseThrow().counts().reservation().get(CPU) / 1000);
  }

  /** Who waits, by ClusterQueue and in the order of its turn; not those that are to pause. */
  Map<String, List<Waiting>> waiting() {
    Map<String, List<Waiting>> waiting = new TreeMap<>();
    for (ObjectKey key : workloads.keySet()) {
      Stay stay = Objects.requireNonNull(stays.get(key));
      if (!stay.runs && pausing.getOrDefault(key, Instant.MIN).isBefore(now())) {
        waiting.computeIfAbsent(stay.queue, queue -> new ArrayList<>()).add(stay.waiting);
      }
    }
    waiting.values().forEach(queue -> queue.sort(Waiting.ORDER));
    return waiting;
  }

  int finished() {
    return finished;
  }

  int preemptions() {
    return preemptions;
  }

  /** The names of the Workloads in the order in which a queue reserved for them. */
  List<String> reservations(String queue) {
    return Objects.requireNonNull(reservations.get(queue));
  }

  /** CPU seconds that a LocalQueue's Workloads have held. */
  double cpuSeconds(String queue) {
    return cpuSeconds.getOrDefault(queue, 0.0);
  }

  private void settle() {
    for (int turn = 0; turn < TURNS; turn++) {
      boolean done = state.schedule(now());
      boolean worked = !awake.isEmpty();
      while (!awake.isEmpty()) {
        ObjectKey key = awake.remove();
        asleepNoMore.remove(key);
        work(key);
      }
      if (done && !worked) {
        atRest.run();
        return;
      }
    }
    throw new IllegalStateException("the scheduler goes in circles at " + now());
  }

  /** What the one worker of a Workload does. */
  private void work(ObjectKey key) {
    Workload workload = workloads.get(key);
    if (workload == null) {
      return;
    }
    AssumedReservation reservation = outbox.reservation(key);
    if (reservation != null) {
      Plan plan =
          Lifecycle.reserve(
              situation(workload), reservation.decision().admission(), checksOf(workload), now());
      if (plan instanceof Plan.PatchStatus patch) {
        Workload written = store(patch.after());
        state.workloads().reservationWritten(reservation, written, now());
        deferred += reservation.decision().deferred().isEmpty() ? 0 : 1;
        reserved(key);
      } else {
        state.workloads().reservationFailed(reservation, Duration.ZERO, now());
      }
    }
    PreemptionOrder order = outbox.preemption(key);
    if (order != null) {
      outbox.settle(key, order);
      Workload current = Objects.requireNonNull(workloads.get(key));
      if (order.concerns(current)
          && Lifecycle.preempt(situation(current), order.preemption(), now())
              instanceof Plan.PatchStatus patch) {
        auditPreemptor(order);
        preemptions++;
        state.workloads().written(store(patch.after()), now());
        if (situation(Objects.requireNonNull(workloads.get(key))).phase() == Phase.EVICTING) {
          leaving.add(key);
        }
        at(now().plus(stopping), () -> stopped(key));
      }
    }
    follow(key);
  }

  /** Whatever the lifecycle wants besides. */
  private void follow(ObjectKey key) {
    for (int step = 0; step < 16; step++) {
      Workload workload = Objects.requireNonNull(workloads.get(key));
      switch (Lifecycle.plan(situation(workload), now())) {
        case Plan.PatchStatus patch -> {
          state.workloads().written(store(patch.after()), now());
          started(key);
        }
        case Plan.Nothing nothing -> {
          Instant wakeAt = nothing.wakeAt();
          if (wakeAt != null) {
            at(wakeAt, () -> wake(key));
          }
          return;
        }
        case Plan.PatchSpec patch -> throw new IllegalStateException("unexpected: " + patch);
      }
    }
    throw new IllegalStateException(key + " doesn't settle at " + now());
  }

  /** Verifies that no victim is evicted for a Workload whose check may still refuse. */
  private void auditPreemptor(PreemptionOrder order) {
    Workload preemptor = Objects.requireNonNull(workloads.get(order.preemptor()));
    if (!checksOf(preemptor).isEmpty()
        && !preemptor.status().admissionChecks().stream()
            .allMatch(entry -> entry.is(CheckState.READY))) {
      throw new IllegalStateException("evicted too early: " + order);
    }
  }

  private void reserved(ObjectKey key) {
    Stay stay = Objects.requireNonNull(stays.get(key));
    long number = ++stay.reservation;
    reservations(stay.queue).add(key.name());
    started(key);
    if (!stay.runs) {
      CheckAnswer answer = check.answer(key, stay.answered);
      at(now().plus(answer.after()), () -> answers(key, number, answer));
    }
  }

  private void answers(ObjectKey key, long reservation, CheckAnswer answer) {
    Workload workload = workloads.get(key);
    Stay stay = Objects.requireNonNull(stays.get(key));
    if (workload != null
        && stay.reservation == reservation
        && situation(workload).phase() == Phase.RESERVED) {
      stay.answered++;
      state
          .workloads()
          .observed(
              store(
                  workload.withStatus(
                      workload
                          .status()
                          .withAdmissionChecks(
                              workload.status().admissionChecks().stream()
                                  .map(
                                      entry ->
                                          entry
                                              .withState(answer.state())
                                              .withRequeueAfterSeconds(answer.delay())
                                              .withLastTransitionTime(now()))
                                  .toList()))),
              now());
      wake(key);
    }
  }

  /** Counts a Workload that has just been admitted. */
  private void started(ObjectKey key) {
    Stay stay = Objects.requireNonNull(stays.get(key));
    if (stay.runs
        || situation(Objects.requireNonNull(workloads.get(key))).phase() != Phase.ADMITTED) {
      return;
    }
    stay.runs = true;
    stay.since = now();
    long number = stay.reservation;
    audit.takes(stay.queue, stay.waiting.cpus());
    at(
        now().plus(stay.runtime),
        () -> {
          Workload workload = workloads.get(key);
          if (workload != null
              && stay.reservation == number
              && situation(workload).phase() == Phase.ADMITTED) {
            finish(key, workload);
          }
        });
  }

  private void finish(ObjectKey key, Workload workload) {
    if (Lifecycle.finish(situation(workload), new FinishedOwner("Succeeded", ""), now())
        instanceof Plan.PatchStatus patch) {
      released(key);
      state.workloads().observed(store(patch.after()), now());
      finished++;
      past.add(Objects.requireNonNull(workloads.remove(key)));
      state.workloads().deleted(key, now());
    }
  }

  private void stopped(ObjectKey key) {
    Workload workload = workloads.get(key);
    if (workload != null
        && situation(workload).phase() == Phase.EVICTING
        && Lifecycle.plan(situation(workload).withOwner(Owner.STOPPED), now())
            instanceof Plan.PatchStatus patch) {
      released(key);
      state.workloads().observed(store(patch.after()), now());
    }
  }

  private void released(ObjectKey key) {
    Stay stay = Objects.requireNonNull(stays.get(key));
    stay.runs = false;
    leaving.remove(key);
    audit.returns(stay.queue, stay.waiting.cpus());
    cpuSeconds.merge(
        stay.localQueue,
        (double) stay.waiting.cpus() * Duration.between(stay.since, now()).toSeconds(),
        Double::sum);
  }

  private Situation situation(Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    boolean invalid = outbox.unpreemptable(key) || outbox.overcommitted(key);
    return Situation.of(
            workload,
            QueueSettings.running("lq"),
            QueueSettings.running("cq"),
            RequiredChecks.of(checksOf(workload)))
        .withVictimsHoldQuota(outbox.awaitsVictims(key))
        .withAssignment(
            invalid
                ? AssignmentValidity.invalid("WaitingForQuota", "gone")
                : AssignmentValidity.valid());
  }

  private List<CheckPolicy> checksOf(Workload workload) {
    String queue = Objects.requireNonNull(stays.get(ObjectKey.of(workload))).queue;
    return objects.queue(queue).spec().admissionChecks().stream()
        .map(rule -> CheckPolicy.of(rule.name()))
        .toList();
  }

  /** Passes every version of a Workload to {@code look}. */
  public void whenStored(Consumer<Workload> look) {
    seen = look;
  }

  private Workload store(Workload workload) {
    V1ObjectMeta metadata = KueueJson.copyOf(workload.metadata(), V1ObjectMeta.class);
    metadata.setResourceVersion(String.valueOf(++versions));
    Workload stored = workload.withMetadata(metadata);
    workloads.put(ObjectKey.of(stored), stored);
    seen.accept(stored);
    return stored;
  }

  private void at(Instant when, Runnable action) {
    agenda.at(when, action);
  }

  @Override
  public void wake(ObjectKey workload) {
    if (asleepNoMore.add(workload)) {
      awake.add(workload);
    }
  }

  @Override
  public void wakeAt(ObjectKey workload, Instant when) {
    // Wakes a Workload to write its verdicts for people, which the simulation doesn't read.
  }

  @Override
  public void retryAfter(ObjectKey workload, Duration pause) {
    Instant when = now().plus(pause);
    pausing.put(workload, when);
    at(when, () -> state.workloads().reconsider(workload, when, now()));
  }

  @Override
  public void scheduleAfter(Duration pause) {
    at(now().plus(pause), () -> {});
  }

  @Override
  public void queueChanged(ObjectKey queue) {}

  @Override
  public void cohortChanged(String cohort) {}

  @Override
  public void attempted(Decision decision) {}

  @Override
  public void cycled(List<Decision> decisions) {
    decided.accept(decisions);
  }
}
