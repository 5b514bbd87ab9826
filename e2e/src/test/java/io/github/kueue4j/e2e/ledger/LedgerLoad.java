// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.ledger;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.budget.ledger.Ledger;
import io.github.kueue4j.budget.policy.Policy;
import io.github.kueue4j.e2e.world.JobProgress;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.kubernetes.client.openapi.models.V1Job;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of all kinds, one after the other, while the check is killed again and again; now and then,
 * and at the end, each ledger is compared with the recorder.
 */
final class LedgerLoad {
  private static final List<String> NAMESPACES = List.of("a", "b");
  private static final int CPUS = 30;
  private static final int KILLED_EVERY = 6;
  private static final int COMPARED_EVERY = 25;
  private static final BigDecimal DEARER = new BigDecimal("0.5");
  private static final Duration A_MOMENT = Duration.ofSeconds(20);

  /** What becomes of a Job. */
  enum Fate {
    ENDS_EARLY,
    RUNS_INTO_ITS_LIMIT,
    DELETED_BEFORE_IT_RUNS,
    DELETED_WHILE_IT_RUNS,
    URGENT,
    EVICTED,
    GIVES_PODS_BACK
  }

  /** Something that is done at a time. */
  private record Step(Instant at, int number, Act act) {}

  private interface Act {
    void carryOut() throws InterruptedException;
  }

  private final LedgerWorld world;
  private final Random random;
  private final PriorityQueue<Step> steps =
      new PriorityQueue<>(Comparator.comparing(Step::at).thenComparing(Step::number));
  private final Map<Fate, Integer> done = new EnumMap<>(Fate.class);
  private int planned;
  private int compared;
  private @Nullable Instant dearerSince;

  LedgerLoad(LedgerWorld world, Random random) {
    this.world = world;
    this.random = random;
  }

  static LedgerWorld world(Random random) throws InterruptedException {
    return new LedgerWorld(LoadedBudget.ALL, NAMESPACES, CPUS, random);
  }

  /** Creates these Jobs within some hours, and does to them what they are for. */
  void round(int first, int count) throws InterruptedException {
    Instant at = world.now();
    for (int i = first; i < first + count; i++) {
      at = at.plusMillis(1 + random.nextInt(120_000));
      int number = i;
      plan(at, () -> begin(number));
    }
    while (!steps.isEmpty()) {
      Step next = steps.remove();
      Duration left = Duration.between(world.time.instant(), next.at());
      if (left.isPositive()) {
        LedgerWorld.pass(world.time, left);
      }
      next.act().carryOut();
    }
    compare();
    tidyUp();
  }

  private void plan(Instant at, Act act) {
    steps.add(new Step(at, planned++, act));
  }

  private void planWithin(Duration time, Act act) {
    plan(world.time.instant().plusMillis(random.nextLong(time.toMillis())), act);
  }

  private void begin(int number) throws InterruptedException {
    Fate fate = Fate.values()[number % Fate.values().length];
    Duration limit = Duration.ofSeconds(30 + random.nextInt(900));
    Duration runtime =
        fate == Fate.RUNS_INTO_ITS_LIMIT
            ? limit.plusHours(10)
            : Duration.ofSeconds(1 + random.nextLong(limit.toSeconds()));
    int pods = fate == Fate.GIVES_PODS_BACK ? 3 : 1 + random.nextInt(5);
    String queue = random.nextBoolean() ? "main" : "other";
    ObjectKey key =
        new ObjectKey(NAMESPACES.get(random.nextInt(NAMESPACES.size())), "job-" + number);
    LoadedJob job = new LoadedJob(key, queue, pods, limit, runtime, fate == Fate.URGENT);
    if (number % COMPARED_EVERY == 0) {
      compare();
    }
    if (fate == Fate.DELETED_BEFORE_IT_RUNS) {
      watched(() -> createAndDelete(job));
      return;
    }
    world.create(job);
    done.merge(fate, 1, Integer::sum);
    switch (fate) {
      case DELETED_WHILE_IT_RUNS -> planWithin(runtime, () -> watched(() -> delete(job)));
      case EVICTED -> planWithin(runtime, () -> evict(job));
      case GIVES_PODS_BACK -> planWithin(runtime, () -> watched(() -> endOnePod(job)));
      default -> {}
    }
    if (number % KILLED_EVERY == 0) {
      kill();
    }
  }

  private void kill() throws InterruptedException {
    if (random.nextBoolean()) {
      world.check.killAtItsNextWrite(Duration.ofMinutes(1));
    } else {
      LedgerWorld.pass(world.time, Duration.ofNanos(random.nextLong(100_000_000)));
      world.check.kill();
    }
    planWithin(Duration.ofMinutes(3), world.check::start);
  }

  /**
   * What the cluster shows no time of is charged when the check sees it: it runs, and sees it
   * within the second.
   */
  private void watched(Act act) throws InterruptedException {
    compare();
    LedgerWorld.pass(
        world.time, Duration.ofMillis(1050 - world.time.instant().toEpochMilli() % 1000));
    act.carryOut();
    compare();
  }

  private void createAndDelete(LoadedJob job) throws InterruptedException {
    world.create(job);
    done.merge(Fate.DELETED_BEFORE_IT_RUNS, 1, Integer::sum);
    LedgerWorld.pass(world.time, Duration.ofNanos(random.nextLong(60_000_000)));
    delete(job);
  }

  private void delete(LoadedJob job) {
    world.api.delete(CoreTypes.JOB, job.key(), DeleteOptions.background());
    world.until("its Workload is gone", A_MOMENT, () -> world.workload(job).isEmpty());
  }

  private void evict(LoadedJob job) {
    world
        .workload(job)
        .filter(workload -> !workload.conditions().finished() && workload.spec().active())
        .ifPresent(
            workload -> {
              activate(workload.key(), false);
              plan(world.now().plusSeconds(60), () -> activate(workload.key(), true));
            });
  }

  private void activate(ObjectKey workload, boolean active) {
    try {
      world.api.patch(
          KueueTypes.WORKLOAD, workload, merge("{'spec': {'active': %s}}".formatted(active)));
    } catch (KubernetesApiException.NotFound gone) {
      // It has ended meanwhile.
    }
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }

  private void endOnePod(LoadedJob job) {
    Optional<Workload> workload = world.workload(job);
    Optional<V1Job> runs =
        world
            .api
            .get(CoreTypes.JOB, job.key())
            .filter(
                one ->
                    one.getStatus() != null
                        && Objects.requireNonNullElse(one.getStatus().getActive(), 0)
                            == job.pods());
    if (workload.isPresent() && runs.isPresent()) {
      String uid = Objects.requireNonNull(workload.get().metadata().getUid());
      BigDecimal before = world.recorder.holds(uid);
      world.api.patchStatus(
          CoreTypes.JOB,
          GuardedPatch.ofStatus(
              runs.get(),
              JobProgress.of(runs.get())
                  .pods(job.pods() - 1, job.pods() - 1)
                  .ended(1, 0)
                  .in(runs.get())));
      world.until(
          "its quota is given back",
          A_MOMENT,
          () -> world.recorder.holds(uid).compareTo(before) < 0);
    }
  }

  /** CPUs cost more from now on under one of the policies; nothing is about to be admitted. */
  void makeDearer() throws InterruptedException {
    do {
      compare();
      world.until("nothing is about to be admitted", A_MOMENT, this::noneIsReady);
      world.check.kill();
    } while (!noneIsReady());
    LedgerWorld.pass(world.time, Duration.ofSeconds(2));
    dearerSince = world.now();
    world.api.patch(
        Policy.POLICIES,
        ObjectKey.cluster("weekly"),
        merge("{'spec': {'prices': [{'resource': 'cpu', 'price': '%s'}]}}".formatted(DEARER)));
  }

  private boolean noneIsReady() {
    return NAMESPACES.stream()
        .flatMap(name -> world.workloads(name).stream())
        .filter(one -> one.conditions().reserved() && !one.conditions().admitted())
        .flatMap(one -> one.status().admissionChecks().stream())
        .noneMatch(entry -> entry.is(CheckState.READY));
  }

  /** Lets all end, and has nothing left in the ledgers but what was spent. */
  void end() throws InterruptedException {
    world.check.start();
    world.until("all has ended", Duration.ofHours(20), this::nothingRuns);
    compare();
    for (LoadedBudget budget : LoadedBudget.ALL) {
      for (String namespace : NAMESPACES) {
        world.until(
            budget.name() + " has nothing open",
            A_MOMENT,
            () -> world.ledger(budget, namespace).open().isEmpty());
      }
    }
  }

  private boolean nothingRuns() {
    return NAMESPACES.stream()
        .flatMap(name -> world.workloads(name).stream())
        .allMatch(LedgerLoad::hasEnded);
  }

  /** Deactivated alone isn't enough: its pods may take their time to end. */
  private static boolean hasEnded(Workload workload) {
    return workload.conditions().finished()
        || (!workload.spec().active()
            && workload.conditions().trueSince(WorkloadConditions.QUOTA_RESERVED).isEmpty());
  }

  /** Jobs that have ended are deleted, as they are on clusters. */
  private void tidyUp() {
    for (String namespace : NAMESPACES) {
      for (Workload one : world.workloads(namespace)) {
        if (hasEnded(one)) {
          one.metadata()
              .getOwnerReferences()
              .forEach(
                  owner ->
                      world.api.delete(
                          CoreTypes.JOB,
                          new ObjectKey(namespace, owner.getName()),
                          DeleteOptions.background()));
        }
      }
    }
  }

  /** Has the check catch up, and each ledger say what the recorder has seen. */
  void compare() throws InterruptedException {
    world.check.start();
    compared++;
    try {
      world.until("the ledgers say what ran", A_MOMENT, () -> differences().isEmpty());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("ledgers and recorder differ: " + differences(), e);
    }
  }

  /** In ticks, by budget, namespace and LocalQueue. */
  private Map<String, BigInteger> differences() {
    Map<String, BigInteger> differences = new TreeMap<>();
    Instant now = world.now();
    List<UseRecorder.Span> spans = world.recorder.spans(now);
    for (LoadedBudget budget : LoadedBudget.ALL) {
      for (String namespace : NAMESPACES) {
        Ledger ledger = world.ledger(budget, namespace);
        for (String queue : List.of("main", "other")) {
          BigInteger stored = ledger.use(budget.window(), now, queue).spent().ticks();
          BigInteger seen =
              spans.stream()
                  .filter(span -> span.namespace().equals(namespace) && span.queue().equals(queue))
                  .map(span -> cost(budget, span, budget.start(now)))
                  .reduce(BigInteger.ZERO, BigInteger::add);
          if (!stored.equals(seen)) {
            differences.put(budget.name() + "/" + namespace + "/" + queue, stored.subtract(seen));
          }
        }
      }
    }
    return differences;
  }

  /**
   * It costs what it did at its admission, and from when it gave pods back on the present price.
   */
  private BigInteger cost(LoadedBudget budget, UseRecorder.Span span, Instant since) {
    boolean dearer =
        budget.name().equals("weekly") && dearerSince != null && !span.from().isBefore(dearerSince);
    return budget.ticks(span.cpuSeconds(since), dearer ? DEARER : budget.price());
  }

  /** What happened. */
  String figures(int jobs) {
    return "%d Jobs (%s), %d kills, %d of them between a write and its answer, %d writes of ledgers, %d comparisons: difference 0 ticks"
        .formatted(
            jobs,
            done,
            world.check.kills(),
            world.check.unanswered(),
            world.check.writes(),
            compared);
  }
}
