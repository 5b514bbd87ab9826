// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Parameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.objects.Watch;
import io.github.kueue4j.sdk.objects.Watched;
import io.github.kueue4j.sdk.program.GuardSettings;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.github.kueue4j.testdefaults.PossibleLog;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A check against an API server; the test plays the part of the queue controller. */
@Tag("quick")
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
@PossibleLog(
    logger = "RunningController",
    message = "Reconciles are still running",
    because = "a controller without a grace period grants its idle workers no time to end")
@PossibleLog(
    logger = "MeterRegistry",
    message = "has been already registered",
    because = "the second controller on a registry adds the meters of the process again")
class CheckScenariosTest {

  private static final Reason FULL = Reason.of("Full");
  private static final ManualTime TIME = ManualTime.create();
  private static KueueSide kueue;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @BeforeAll
  static void start() {
    kueue = new KueueSide(TIME);
  }

  @AfterAll
  static void stop() {
    kueue.close();
  }

  @AfterEach
  void closeControllers() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void aVerdictThatIsOvertakenByAnEvictionIsDroppedAndAskedForAnew() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    kueue.admissionCheck("late", "example.com/late");
    run(
        "example.com/late",
        evaluation -> {
          if (calls.incrementAndGet() > 1) {
            return Verdict.ready("second thoughts");
          }
          asked.countDown();
          answer.await();
          return Verdict.rejected(FULL, "too late to reject");
        });
    ObjectKey job = kueue.workload("late");
    kueue.reserve(job, "late");
    asked.await();
    kueue.evict(job, "Preempted");
    kueue.release(job);
    TIME.advance(Duration.ofSeconds(5));
    kueue.reserve(job, "late");
    answer.countDown();

    await().until(() -> kueue.entry(job, "late").is(CheckState.READY));
    assertThat(kueue.entry(job, "late").message()).isEqualTo("second thoughts");
    // NotReserved where the watch had shown the release only, OtherReservation where it had more.
    // More than one while the watch shows still less: each second answer is then too late as well.
    assertThat(
            meters.get("kueue4j.check.verdicts.dropped").counters().stream()
                .mapToDouble(Counter::count)
                .sum())
        .isGreaterThanOrEqualTo(1);
  }

  /**
   * A very small error budget: the second failure gives the quota back, long before the default
   * would.
   */
  @Test
  void operatorsChangeTheGuardsOfACheckThatTheyDidNotBuild() throws Exception {
    kueue.admissionCheck("limited", "example.com/limited");
    run(
        "example.com/limited",
        evaluation -> {
          throw new IOException("the backend is away");
        },
        environment ->
            environment.withGuards(
                GuardSettings.environment(Map.of("KUEUE4J_GUARDS_ERROR_BUDGET", "1ms"))::on));
    ObjectKey job = kueue.workload("limited");
    kueue.reserve(job, "limited");

    await()
        .until(
            () -> {
              TIME.advance(Duration.ofMillis(100));
              return kueue.entry(job, "limited").is(CheckState.RETRY);
            });
    assertThat(kueue.entry(job, "limited").message()).contains("the backend is away");
  }

  @Test
  void aRetryThatComesWhileAnotherCheckEvictsStillCounts() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    kueue.admissionCheck("evicted", "example.com/evicted");
    run(
        "example.com/evicted",
        evaluation -> {
          asked.countDown();
          answer.await();
          return Verdict.retry(FULL, "later", Delay.exactly(Duration.ofMinutes(7)));
        });
    ObjectKey job = kueue.workload("evicted");
    kueue.reserve(job, "evicted", "foreign");
    asked.await();
    kueue.entry(
        job, "foreign", entry -> entry.withState(CheckState.RETRY).withRequeueAfterSeconds(60));
    kueue.evict(job, "AdmissionCheck");
    kueue.release(job);
    answer.countDown();

    await().until(() -> kueue.entry(job, "evicted").is(CheckState.RETRY));
    assertThat(kueue.entry(job, "evicted").requeueAfterSeconds()).isEqualTo(420);
    assertThat(kueue.entry(job, "foreign").requeueAfterSeconds()).isEqualTo(60);
  }

  @Test
  void twoControllersAnswerManyWorkloadsAtOnceWithoutTreadingOnEachOther() throws Exception {
    kueue.admissionCheck("left", "example.com/left");
    kueue.admissionCheck("right", "example.com/right");
    run("example.com/left", evaluation -> Verdict.ready("left"));
    run("example.com/right", evaluation -> Verdict.retry(FULL, "right", Delay.none()));
    List<ObjectKey> jobs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      jobs.add(kueue.workload("two-" + i));
      kueue.reserve(jobs.get(i), "right", "left");
    }

    for (ObjectKey job : jobs) {
      await()
          .untilAsserted(
              () -> {
                assertThat(kueue.entry(job, "left").state()).isEqualTo(CheckState.READY);
                assertThat(kueue.entry(job, "left").message()).isEqualTo("left");
                assertThat(kueue.entry(job, "right").state()).isEqualTo(CheckState.RETRY);
                assertThat(kueue.entry(job, "right").message()).isEqualTo("right");
              });
    }
  }

  @Test
  void aControllerThatIsClosedWhileItThinksIsReplacedByOneThatAnswers() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    kueue.admissionCheck("restart", "example.com/restart");
    CheckController first =
        run(
            "example.com/restart",
            evaluation -> {
              asked.countDown();
              new CountDownLatch(1).await();
              return Verdict.ready("never");
            },
            environment -> environment.withHosting(host -> host.gracePeriod(Duration.ZERO)));
    ObjectKey job = kueue.workload("restart");
    kueue.reserve(job, "restart");
    kueue.entry(job, "restart", entry -> entry.withRetryCount(4));
    asked.await();
    first.close();
    assertThat(kueue.entry(job, "restart").is(CheckState.PENDING)).isTrue();

    Backoff backoff = Backoff.exponential(Duration.ofSeconds(30), 2).withoutJitter();
    run(
        "example.com/restart",
        evaluation -> Verdict.retry(FULL, "attempt " + evaluation.attempt(), backoff));
    await().until(() -> kueue.entry(job, "restart").is(CheckState.RETRY));
    assertThat(kueue.entry(job, "restart").message()).isEqualTo("attempt 4");
    assertThat(kueue.entry(job, "restart").requeueAfterSeconds()).isEqualTo(480);
  }

  @Test
  void aRestartDuringADelayLeavesItAlone() throws Exception {
    kueue.admissionCheck("delayed", "example.com/delayed");
    Delay sevenMinutes = Delay.exactly(Duration.ofMinutes(7));
    CheckController first =
        run("example.com/delayed", evaluation -> Verdict.retry(FULL, "later", sevenMinutes));
    ObjectKey job = kueue.workload("delayed");
    kueue.reserve(job, "delayed");
    await().until(() -> kueue.entry(job, "delayed").is(CheckState.RETRY));
    kueue.evict(job, "AdmissionCheck");
    kueue.release(job);
    first.close();

    AdmissionCheckState before = kueue.entry(job, "delayed");
    List<ObjectKey> asked = new CopyOnWriteArrayList<>();
    run(
        "example.com/delayed",
        evaluation -> {
          asked.add(evaluation.key());
          return Verdict.ready("there is room");
        });
    ObjectKey witness = kueue.workload("delayed-witness");
    kueue.reserve(witness, "delayed");
    await().until(() -> kueue.entry(witness, "delayed").is(CheckState.READY));
    assertThat(kueue.entry(job, "delayed")).isEqualTo(before);
    assertThat(asked).containsExactly(witness);
  }

  @Test
  void activeTellsWhatIsWrongWithTheParametersAndRecoversByItself() throws Exception {
    kueue
        .server()
        .apply(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: AdmissionCheck
            metadata:
              name: params
            spec:
              controllerName: example.com/params
              parameters:
                apiGroup: kueue.x-k8s.io
                kind: ProvisioningRequestConfig
                name: spot
            """);
    describe(
        "example.com/params",
        builder ->
            builder.check(
                Parameters.from(
                    KueueTypes.PROVISIONING_REQUEST_CONFIG,
                    config -> {
                      String name = config.spec().provisioningClassName();
                      if (name.equals("nonsense")) {
                        throw new IllegalArgumentException("there is no class nonsense");
                      }
                      return name;
                    }),
                evaluation -> Verdict.ready("class " + evaluation.parameters())),
        UnaryOperator.identity());
    ObjectKey job = kueue.workload("params");
    kueue.reserve(job, "params");

    await().until(() -> kueue.active("params").message().contains("does not exist"));
    assertThat(kueue.active("params").isFalse()).isTrue();
    assertThat(kueue.active("params").reason()).isEqualTo("BadParametersRef");
    await().until(() -> kueue.entry(job, "params").message().contains("not active"));

    config("nonsense");
    await().until(() -> kueue.active("params").message().contains("there is no class nonsense"));

    config("spot-class");
    await().until(() -> kueue.active("params").isTrue());
    await().until(() -> kueue.entry(job, "params").is(CheckState.READY));
    assertThat(kueue.entry(job, "params").message()).isEqualTo("class spot-class");

    kueue
        .api()
        .delete(
            KueueTypes.PROVISIONING_REQUEST_CONFIG,
            ObjectKey.cluster("spot"),
            DeleteOptions.background());
    await().until(() -> kueue.active("params").isFalse());
    assertThat(kueue.entry(job, "params").is(CheckState.READY)).isTrue();
  }

  private static void config(String provisioningClass) {
    kueue
        .server()
        .apply(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ProvisioningRequestConfig
            metadata:
              name: spot
            spec:
              provisioningClassName: %s
            """
                .formatted(provisioningClass));
  }

  @Test
  void aChangeOfWhatTheCheckWatchesWakesItAndNothingIsWrittenWhenNothingChanges() throws Exception {
    kueue.admissionCheck("watching", "example.com/watching");
    AtomicReference<Watched<V1ConfigMap>> maps = new AtomicReference<>();
    AtomicInteger calls = new AtomicInteger();
    describe(
        "example.com/watching",
        builder -> {
          maps.set(builder.watch(Watch.of(CoreTypes.CONFIG_MAP).named("gate")));
          return builder.check(
              evaluation -> {
                calls.incrementAndGet();
                return maps.get()
                    .get(new ObjectKey("default", "gate"))
                    .filter(map -> Map.of("open", "true").equals(map.getData()))
                    .map(map -> Verdict.ready("open"))
                    .orElseGet(() -> Verdict.pending("closed"));
              });
        },
        UnaryOperator.identity());
    ObjectKey job = kueue.workload("watching");
    kueue.reserve(job, "watching");
    await().until(() -> kueue.entry(job, "watching").message().equals("closed"));
    String version = kueue.read(job).metadata().getResourceVersion();

    for (int i = 1; i <= 3; i++) {
      int before = calls.get();
      gate("false" + i);
      await()
          .until(
              () -> {
                TIME.advance(Duration.ofSeconds(1));
                return calls.get() > before;
              });
    }
    assertThat(kueue.read(job).metadata().getResourceVersion()).isEqualTo(version);

    gate("true");
    await()
        .until(
            () -> {
              TIME.advance(Duration.ofSeconds(1));
              return kueue.entry(job, "watching").is(CheckState.READY);
            });
  }

  private static void gate(String open) {
    kueue
        .server()
        .apply(
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              namespace: default
              name: gate
            data:
              open: "%s"
            """
                .formatted(open));
  }

  /** KEP-3258's example, over the rounds that lead to attempt 4. */
  @Test
  void budgetGpuAndLicenceAskForTheirOwnDelays() throws Exception {
    Backoff midnight = Backoff.untilMidnight(ZoneId.of("UTC")).withoutJitter();
    Backoff gpus = Backoff.exponential(Duration.ofSeconds(30), 2).withoutJitter();
    for (String name : List.of("kep-budget", "kep-gpu", "kep-license")) {
      kueue.admissionCheck(name, "example.com/kep");
    }
    run(
        "example.com/kep",
        evaluation ->
            switch (evaluation.check()) {
              case "kep-budget" -> Verdict.retry(FULL, "exhausted", midnight);
              case "kep-gpu" -> Verdict.retry(FULL, "attempt " + evaluation.attempt(), gpus);
              default -> Verdict.retry(FULL, "no licence", Delay.none());
            });
    ObjectKey job = kueue.workload("kep");
    for (int round = 0; round <= 4; round++) {
      kueue.reserve(job, "kep-budget", "kep-gpu", "kep-license");
      await().until(() -> allRetry(kueue.read(job)));
      if (round < 4) {
        kueue.evict(job, "AdmissionCheck");
        kueue.release(job);
        TIME.advance(Duration.ofSeconds(1));
        kueue.requeue(job);
      }
    }

    AdmissionCheckState budget = kueue.entry(job, "kep-budget");
    assertThat(
            budget
                .lastTransitionTime()
                .plusSeconds(java.util.Objects.requireNonNull(budget.requeueAfterSeconds()))
                .atZone(ZoneId.of("UTC"))
                .toLocalTime())
        .isEqualTo("00:00");
    assertThat(kueue.entry(job, "kep-gpu").requeueAfterSeconds()).isEqualTo(480);
    assertThat(kueue.entry(job, "kep-gpu").message()).isEqualTo("attempt 4");
    assertThat(kueue.entry(job, "kep-license").requeueAfterSeconds()).isNull();
  }

  private static boolean allRetry(Workload workload) {
    return workload.status().admissionChecks().stream()
        .allMatch(entry -> entry.is(CheckState.RETRY));
  }

  private CheckController run(String controllerName, Check<NoParameters> check)
      throws InterruptedException {
    return describe(controllerName, builder -> builder.check(check), UnaryOperator.identity());
  }

  private CheckController run(
      String controllerName, Check<NoParameters> check, UnaryOperator<CheckEnvironment> environment)
      throws InterruptedException {
    return describe(controllerName, builder -> builder.check(check), environment);
  }

  private CheckController describe(
      String controllerName,
      UnaryOperator<CheckController.Builder> describe,
      UnaryOperator<CheckEnvironment> environment)
      throws InterruptedException {
    ClusterConnection cluster =
        kueue.connect(
            controllerName.replace('/', '-'),
            permissions ->
                permissions
                    .reading(KueueTypes.PROVISIONING_REQUEST_CONFIG.qualifiedName(), "")
                    .reading(CoreTypes.CONFIG_MAP.qualifiedName(), ""));
    open.add(cluster);
    CheckController controller =
        describe
            .apply(
                CheckController.builder(
                    controllerName, environment.apply(CheckEnvironment.of(cluster, TIME))))
            .meters(meters)
            .build();
    open.add(controller);
    controller.start();
    return controller;
  }
}
