// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.Refusals;
import io.github.kueue4j.runtime.Requeue;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A wake-up is spent by an evaluation that answers, and by nothing else. */
class WakeUpTest extends EvaluatorFixture {

  private static final Verdict AN_HOUR =
      Verdict.retry(FULL, "full", Delay.exactly(Duration.ofHours(1)));

  WakeUpTest() {
    rechecks = new Due.Rechecks(null, true);
    author = evaluation -> evaluation.inBackoff() ? Verdict.ready("room again") : AN_HOUR;
  }

  @Test
  void whatChangedBeforeTheRetryIsVisibleEndsTheDelayOnceInBackoff() throws Exception {
    reconcile();
    memory.wake(KEY, "budget");
    reconcile();
    assertThat(evaluations).as("the informer still shows Pending").hasSize(1);

    workloads.sync();
    reconcile();
    backoff();
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(entry("budget").requeueAfterSeconds()).isZero();
  }

  @Test
  void whatChangedWhileTheOwnerStopsEndsTheDelayOnceInBackoff() throws Exception {
    reconcile();
    evict();
    workloads.sync();
    memory.wake(KEY, "budget");
    reconcile();
    assertThat(evaluations).hasSize(1);

    backoff();
    reconcile();

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
  }

  @Test
  void aBaseThatTheCoreRecordsMeanwhileMeansEvaluateAnew() throws Exception {
    reconcile();
    backoff();
    author =
        evaluation -> {
          if (evaluations.size() == 2) {
            changeQuietly(
                workload ->
                    entryOf(workload, "budget")
                        .addProperty("lastTransitionTime", T0.plusSeconds(12).toString()));
          }
          return Verdict.ready("room again");
        };

    memory.wake(KEY, "budget");
    Requeue requeue = reconcile();
    assertThat(dropped("BaseRecorded")).isEqualTo(1);
    assertThat(requeue).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
    workloads.sync();
    time.advance(Duration.ofSeconds(1));
    reconcile();

    assertThat(evaluations).hasSize(3);
    assertThat(entry("budget").requeueAfterSeconds()).isZero();
  }

  @Test
  void aWakeUpThatFindsNoRoomComesBack() throws Exception {
    guards = guards.withMaxEvaluationsPerSecond(1);
    reconcile();
    backoff();
    memory.wake(KEY, "budget");
    Instant soon = time.instant().plusSeconds(1);

    int tries = 0;
    while (evaluations.size() < 2 && tries++ < 100) {
      Requeue requeue = reconcile();
      assertThat(evaluations.size() == 2 || requeue.equals(Requeue.at(soon))).isTrue();
    }

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
  }

  @Test
  void aWakeUpWhoseEvaluationFailsIsTriedAgainWithAGrowingDelay() throws Exception {
    reconcile();
    backoff();
    int patches = cluster.patches();
    author =
        evaluation -> {
          throw new IllegalStateException("backend away");
        };

    memory.wake(KEY, "budget");
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
    assertThat(evaluations).hasSize(2);
    time.advance(Duration.ofSeconds(1));
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(2)));
    assertThat(cluster.patches()).as("the delay stands meanwhile").isEqualTo(patches);
    time.advance(Duration.ofSeconds(2));
    author = evaluation -> Verdict.ready("room again");
    reconcile();

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
    assertThat(reconcile()).isEqualTo(Requeue.never());
  }

  @Test
  void whatChangedBeforeTheReadyIsVisibleRechecksIt() throws Exception {
    rechecks = new Due.Rechecks(Duration.ofHours(1), false);
    author = evaluation -> Verdict.ready("fine");
    reconcile();
    memory.wake(KEY, "budget");
    reconcile();
    author = evaluation -> Verdict.rejected(FULL, "revoked");

    workloads.sync();
    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.REJECTED);
  }

  @Test
  void wakeUpsAreNotKeptWithoutRechecks() throws Exception {
    rechecks = new Due.Rechecks(null, false);
    reconcile();
    workloads.sync();

    memory.wake(KEY, "budget");
    reconcile();

    assertThat(memory.of(KEY, "budget").isWoken()).isFalse();
  }

  @Test
  void aCheckThatFailsDoesNotHoldUpTheNext() throws Exception {
    cluster.change(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("another"),
        check -> check.getAsJsonObject("spec").addProperty("controllerName", "example.com/test"));
    checkObjects.sync();
    author = evaluation -> Verdict.ready("fine");
    cluster.failNextPatch(Refusals.unreachable("connection refused"));

    assertThatThrownBy(this::reconcile).hasMessageContaining("connection refused");

    assertThat(entry("another").state()).isEqualTo(CheckState.PENDING);
    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
  }

  @Test
  void workloadsThatWaitForANewCheckNeedNotWaitUntilItsStatusCanBeWritten() {
    List<ObjectKey> queue = new ArrayList<>();
    AdmissionChecks<NoParameters> checks =
        new AdmissionChecks<>(
            "example.com/test",
            checkObjects,
            new ParametersLookup.Constant<>(NoParameters.INSTANCE),
            cluster,
            SERVED,
            droppedDelays,
            time,
            new WakeUps(workloads, memory, List.of(time), queue::add),
            new OrphanScan(author, memory, calls(), queue::add),
            new Probes<>(author, calls(), Duration.ofSeconds(30), time));
    cluster.failNextPatch(Refusals.unreachable("connection refused"));

    assertThatThrownBy(() -> checks.reconcile(ObjectKey.cluster("budget")))
        .hasMessageContaining("connection refused");

    assertThat(queue).containsExactly(KEY);
  }

  /** An annotation or a comment changes the version of an object, not the parameters. */
  @Test
  void parametersThatReadTheSameAreNoChange() throws Exception {
    AtomicReference<Resolution<String>> read =
        new AtomicReference<>(new Resolution.Found<>("nights", "u/1"));
    AdmissionChecks<String> checks = checks(read::get);
    ObjectKey budget = ObjectKey.cluster("budget");
    checkObjects.sync();
    checks.reconcile(budget);

    read.set(new Resolution.Found<>("nights", "u/2"));
    checkObjects.sync();
    checks.reconcile(budget);
    assertThat(memory.of(KEY, "budget").parametersChanged()).isFalse();

    read.set(new Resolution.Bad<>("the window makes no sense"));
    checkObjects.sync();
    checks.reconcile(budget);
    read.set(new Resolution.Found<>("weekends", "u/4"));
    checkObjects.sync();
    checks.reconcile(budget);
    assertThat(memory.of(KEY, "budget").parametersChanged()).isTrue();
    assertThat(memory.of(KEY, "another").parametersChanged()).isFalse();
  }

  /** The Retry by the former parameters is not visible when the change comes. */
  @Test
  void aChangeOfParametersWhileTheVerdictIsWrittenEndsItsDelay() throws Exception {
    rechecks = new Due.Rechecks(null, false);
    author =
        evaluation -> {
          memory.parametersChange(KEY, "budget");
          return AN_HOUR;
        };
    reconcile();
    workloads.sync();
    evict();
    workloads.sync();
    reconcile();
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(3600);

    backoff();
    reconcile();

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
    assertThat(evaluations).as("not asked without quota").hasSize(1);
    assertThat(memory.of(KEY, "budget").parametersChanged()).isFalse();
  }

  /** The informer shows the entry before the Retry by the former parameters. */
  @Test
  void aChangeOfParametersWhoseAnswerComesTooLateIsNotForgotten() throws Exception {
    rechecks = new Due.Rechecks(null, false);
    reconcile();
    memory.parametersChange(KEY, "budget");
    memory.of(KEY, "budget").progress(null); // As for any other basis.
    author = evaluation -> Verdict.pending("open soon");
    reconcile();
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(3600);

    backoff();
    reconcile();

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
  }

  private AdmissionChecks<String> checks(Supplier<Resolution<String>> parameters) {
    Check<String> check = evaluation -> Verdict.ready(evaluation.parameters());
    return new AdmissionChecks<>(
        "example.com/test",
        checkObjects,
        new ParametersLookup<>() {
          @Override
          public Resolution<String> of(AdmissionCheck object) {
            return parameters.get();
          }

          @Override
          public Optional<Informer<?>> informer() {
            return Optional.empty();
          }
        },
        cluster,
        SERVED,
        droppedDelays,
        time,
        new WakeUps(workloads, memory, List.of(time), key -> {}),
        new OrphanScan(check, memory, calls(), key -> {}),
        new Probes<>(check, calls(), Duration.ofSeconds(30), time));
  }

  private void backoff() {
    evict();
    change(
        workload -> {
          condition(workload, "QuotaReserved", "False", T0.plusSeconds(12));
          condition(workload, "Requeued", "False", T0.plusSeconds(12));
          workload.getAsJsonObject("status").remove("admission");
        });
  }
}
