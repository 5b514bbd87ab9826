// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.sdk.BackendHealth;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.ProbingCheck;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The backend's health is the AdmissionCheck's. */
@ExpectedLog(logger = "AdmissionChecks", message = "The AdmissionCheck is no longer Active")
class ProbesTest extends EvaluatorFixture {
  private static final ObjectKey BUDGET = ObjectKey.cluster("budget");

  private final Backend check = new Backend();
  private final List<ObjectKey> queue = new ArrayList<>();

  @Test
  void whileTheBackendIsDownTheCheckIsNotActiveAndSaysWhy() throws Exception {
    AdmissionChecks<NoParameters> checks = checks();
    check.answer = () -> BackendHealth.down(Reason.of("Maintenance"), "back at noon");

    assertThat(checks.reconcile(BUDGET))
        .isEqualTo(Requeue.atSteady(time.instant().plusSeconds(30)));
    assertThat(active().isFalse()).isTrue();
    assertThat(active().reason()).isEqualTo("Maintenance");
    assertThat(active().message()).isEqualTo("back at noon");

    time.advance(Duration.ofSeconds(31));
    queue.clear();
    check.answer = BackendHealth::up;
    assertThat(checks.reconcile(BUDGET))
        .isEqualTo(Requeue.atSteady(time.instant().plusSeconds(30)));
    assertThat(active().isTrue()).isTrue();
    time.advance(Duration.ofSeconds(1));
    assertThat(queue).as("who waits is asked for again").contains(KEY);
    assertThat(memory.of(KEY, "budget").isWoken()).isTrue();
  }

  @Test
  void itIsAskedOnceAnIntervalWhateverHappensAndNotWrittenWhileTheAnswerIsTheSame()
      throws Exception {
    AdmissionChecks<NoParameters> checks = checks();
    for (int i = 0; i < 10; i++) {
      checks.reconcile(BUDGET);
      checkObjects.sync();
      time.advance(Duration.ofSeconds(10));
    }

    assertThat(check.probes).isEqualTo(4);
    assertThat(cluster.patches()).isEqualTo(1);
  }

  @Test
  void aKindThatIsReadWhileTheConditionIsWrittenIsLookedAtAgain() throws Exception {
    FakeCluster.StaleInformer<V1Pod> pods = cluster.informer(CoreTypes.POD).reading();
    AwaitedKinds kinds = new AwaitedKinds(cluster);
    kinds.await(CoreTypes.POD, () -> pods);
    AdmissionChecks<NoParameters> checks =
        checks(new ParametersLookup.Constant<>(NoParameters.INSTANCE), time, kinds);
    cluster.duringNextPatch(pods::sync);

    Requeue again = checks.reconcile(BUDGET);

    assertThat(active().message()).isEqualTo("the pods are being read");
    assertThat(again).isEqualTo(Requeue.atSteady(time.instant().plusSeconds(1)));
    time.advance(Duration.ofSeconds(1));
    checks.reconcile(BUDGET);
    assertThat(active().isTrue()).isTrue();
  }

  @Test
  void aProbeThatFailsOrHangsIsABackendThatIsDown() throws Exception {
    check.answer =
        () -> {
          throw new IOException("no route");
        };
    checks().reconcile(BUDGET);
    assertThat(active().reason()).isEqualTo("ProbeFailed");
    assertThat(active().message()).contains("probe: no route");

    // Only now: on a busy machine nothing is answered within so short a time.
    replaceGuards(guards.withTimeout(Duration.ofMillis(50)));
    AdmissionChecks<NoParameters> checks = checks();

    CountDownLatch never = new CountDownLatch(1);
    check.answer =
        () -> {
          never.await();
          return BackendHealth.up();
        };
    time.advance(Duration.ofSeconds(31));
    checkObjects.sync();
    checks.reconcile(BUDGET);
    assertThat(active().message()).contains("no answer within");

    check.answer = BackendHealth::up;
    await()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofSeconds(31));
              checkObjects.sync();
              checks.reconcile(BUDGET);
              assertThat(active().isTrue()).isTrue();
            });
  }

  /** Without parameters there is nothing to probe with, and no reason to look again at once. */
  @Test
  void parametersThatAreLostEndTheProbes() throws Exception {
    AtomicReference<Resolution<NoParameters>> parameters =
        new AtomicReference<>(new Resolution.Found<>(NoParameters.INSTANCE, "1"));
    AdmissionChecks<NoParameters> checks = checks(new Changing(parameters));
    assertThat(checks.reconcile(BUDGET))
        .isEqualTo(Requeue.atSteady(time.instant().plusSeconds(30)));

    checkObjects.sync();
    parameters.set(new Resolution.Bad<>("it was deleted"));
    time.advance(Duration.ofMinutes(1));
    assertThat(checks.reconcile(BUDGET)).isEqualTo(Requeue.never());
    assertThat(active().message()).isEqualTo("it was deleted");

    parameters.set(new Resolution.Found<>(NoParameters.INSTANCE, "2"));
    assertThat(checks.reconcile(BUDGET))
        .isEqualTo(Requeue.atSteady(time.instant().plusSeconds(30)));
    assertThat(check.probes).isEqualTo(2);
  }

  @Test
  void theNextProbeIsDueHoweverTheClockIsSet() throws Exception {
    ManualTime clock = new ManualTime(time.instant().minus(Duration.ofHours(1)));
    AdmissionChecks<NoParameters> checks =
        checks(new ParametersLookup.Constant<>(NoParameters.INSTANCE), clock.withSteady(time));
    assertThat(checks.reconcile(BUDGET))
        .isEqualTo(Requeue.atSteady(time.instant().plusSeconds(30)));
    assertThat(active().lastTransitionTime()).isEqualTo(clock.instant());
  }

  private record Changing(AtomicReference<Resolution<NoParameters>> now)
      implements ParametersLookup<NoParameters> {
    @Override
    public Resolution<NoParameters> of(AdmissionCheck check) {
      return Objects.requireNonNull(now.get());
    }

    @Override
    public Optional<Informer<?>> informer() {
      return Optional.empty();
    }

    @Override
    public Optional<ObjectKey> referenced(AdmissionCheck check) {
      return Optional.empty();
    }
  }

  @Test
  void theModeOfTheCheckIsTold() throws Exception {
    mode("Observe");
    checks().reconcile(BUDGET);
    assertThat(active().isTrue()).isTrue();
    assertThat(active().message()).contains("nothing waits for its answers", "kueue4j.io/mode");

    mode("observe");
    checks().reconcile(BUDGET);
    assertThat(active().isFalse()).isTrue();
    assertThat(active().message())
        .isEqualTo(
            "metadata.annotations['kueue4j.io/mode'] is 'observe', which is no mode: write Observe"
                + " or Enforce, or leave it out, which means Enforce");
    assertThat(
            checks(
                    new ParametersLookup.Constant<>(NoParameters.INSTANCE),
                    remarks(check),
                    new AwaitedKinds(cluster))
                .parameters(checkObjects.get(BUDGET).orElseThrow()))
        .isInstanceOf(Resolution.Bad.class);

    mode("Enforce");
    checks().reconcile(BUDGET);
    assertThat(active().message()).isEqualTo("The admission check is active");
  }

  @Test
  void aCheckThatMakesSomethingForWorkloadsRefusesToOnlyObserve() throws Exception {
    mode("Observe");
    check.observable = false;

    checks().reconcile(BUDGET);

    assertThat(active().isFalse()).isTrue();
    assertThat(active().reason()).isEqualTo("UnsupportedMode");
    assertThat(active().message()).contains("'Observe'", "leave the annotation out");
  }

  @Test
  void aCheckThatCannotAnswerBeforeQuotaRefusesToBeAskedThen() throws Exception {
    annotate(Map.of("kueue4j.io/stage", "BeforeQuota"));

    checks().reconcile(BUDGET);

    assertThat(active().isFalse()).isTrue();
    assertThat(active().reason()).isEqualTo("UnsupportedStage");
    assertThat(active().message()).contains("'BeforeQuota'", "leave the annotation out");

    annotate(Map.of("kueue4j.io/stage", "BeforeQuota", "kueue4j.io/mode", "Observe"));
    checks().reconcile(BUDGET);
    assertThat(active().isTrue()).as("it is asked with quota, as what observes is").isTrue();
    assertThat(active().message()).contains("kueue4j.io/stage has no effect on a check that only");

    annotate(Map.of("kueue4j.io/stage", "BeforeQuota"));
    check.answersBeforeQuota = true;
    checks().reconcile(BUDGET);
    assertThat(active().message()).isEqualTo("The admission check is active");
  }

  private void mode(String mode) {
    annotate(Map.of("kueue4j.io/mode", mode));
  }

  private void annotate(Map<String, String> written) {
    cluster.change(
        KueueTypes.ADMISSION_CHECK,
        BUDGET,
        object -> {
          JsonObject annotations = new JsonObject();
          written.forEach(annotations::addProperty);
          object.getAsJsonObject("metadata").add("annotations", annotations);
        });
    checkObjects.sync();
  }

  private AdmissionChecks<NoParameters> checks() {
    return checks(new ParametersLookup.Constant<>(NoParameters.INSTANCE));
  }

  private AdmissionChecks<NoParameters> checks(ParametersLookup<NoParameters> parameters) {
    return checks(parameters, time);
  }

  private AdmissionChecks<NoParameters> checks(
      ParametersLookup<NoParameters> parameters, TimeSource clock) {
    return checks(parameters, clock, new AwaitedKinds(cluster));
  }

  private AdmissionChecks<NoParameters> checks(
      ParametersLookup<NoParameters> parameters, TimeSource clock, AwaitedKinds kinds) {
    Remarks<NoParameters> remarks = remarks(check);
    OwnChecks<NoParameters> own = checks(parameters, remarks, kinds);
    CheckConditions conditions = conditions();
    return new AdmissionChecks<>(
        own,
        new ActiveCondition<>(
            own,
            remarks,
            new Probes<>(check, calls(), Duration.ofSeconds(30), clock.steady()),
            conditions.reach(),
            clock),
        conditions,
        new CheckStatusWriter(
            cluster, SERVED.of(KueueTypes.ADMISSION_CHECK), () -> "", clock.steady()),
        new WakeUps(workloads, memory, List.of(time), queue::add),
        new OrphanScan(check, memory, calls(), queue::add));
  }

  private Condition active() {
    checkObjects.sync();
    return Conditions.find(
            cluster.get(KueueTypes.ADMISSION_CHECK, BUDGET).orElseThrow().status().conditions(),
            "Active")
        .orElseThrow();
  }

  private static final class Backend implements ProbingCheck<NoParameters> {
    private volatile Callable<BackendHealth> answer = BackendHealth::up;
    private int probes;
    private boolean observable = true;
    private boolean answersBeforeQuota;

    @Override
    public boolean observable() {
      return observable;
    }

    @Override
    public boolean answersBeforeQuota() {
      return answersBeforeQuota;
    }

    @Override
    public Verdict evaluate(Evaluation<NoParameters> evaluation) {
      return Verdict.ready("fine");
    }

    @Override
    public BackendHealth probe(String check, NoParameters parameters) throws Exception {
      probes++;
      return answer.call();
    }
  }
}
