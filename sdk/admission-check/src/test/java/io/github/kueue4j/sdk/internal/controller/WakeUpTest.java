// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.Refusals;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A wake-up is spent by an evaluation that answers, and by nothing else. */
@ExpectedLog(logger = "DelayEnd", message = "Can't tell whether a delay ends; it goes on")
class WakeUpTest extends EvaluatorFixture {

  private static final Verdict AN_HOUR =
      Verdict.retry(FULL, "full", Delay.exactly(Duration.ofHours(1)));

  private static final Resolution<String> WEEKENDS = new Resolution.Found<>("weekends", "u/4");

  WakeUpTest() {
    rechecks = new Due.Rechecks(null, true);
    author = evaluation -> AN_HOUR;
    delayEnds = waiting -> Optional.of("room again");
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

  /** What wakes it may have been seen before the Workload was, or by no process. */
  @Test
  void aDelayThatAnEarlierProcessAskedForIsAskedAboutOnce() throws Exception {
    reconcile();
    backoff();
    memory = new EvaluationMemory();
    delayEnds = waiting -> Optional.empty();

    reconcile();
    reconcile();
    assertThat(evaluations).hasSize(2);
    memory = new EvaluationMemory();
    delayEnds = waiting -> Optional.of("room again");
    reconcile();

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
    delayEnds =
        waiting -> {
          if (evaluations.size() == 2) {
            changeQuietly(
                workload ->
                    entryOf(workload, "budget")
                        .addProperty("lastTransitionTime", T0.plusSeconds(12).toString()));
          }
          return Optional.of("room again");
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
    delayEnds =
        waiting -> {
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
    delayEnds = waiting -> Optional.of("room again");
    reconcile();

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
    assertThat(reconcile()).isEqualTo(Requeue.never());
  }

  @Test
  void aBackendThatAsksToBeLeftAloneIsLeftAlone() throws Exception {
    reconcile();
    backoff();
    delayEnds =
        waiting -> {
          throw new BackendUnavailableException("away") {
            @Override
            public Optional<Duration> retryAfter() {
              return Optional.of(Duration.ofMinutes(1));
            }
          };
        };

    memory.wake(KEY, "budget");

    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(60)));
  }

  @Test
  void withoutUsableParametersAWakeUpWaits() throws Exception {
    reconcile();
    backoff();
    memory.wake(KEY, "budget");
    reconcileWith(() -> new Resolution.Bad<>("the window makes no sense"));
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(3600);

    reconcileWith(() -> WEEKENDS);
    assertThat(entry("budget").requeueAfterSeconds()).isZero();
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
  void workloadsThatWaitForANewCheckAreQueued() {
    List<ObjectKey> queue = new ArrayList<>();

    changes(() -> WEEKENDS, queue::add).reconcile(ObjectKey.cluster("budget"));

    assertThat(queue).containsExactly(KEY);
  }

  /** An annotation or a comment changes the version of an object, not the parameters. */
  @Test
  void parametersThatReadTheSameAreNoChange() throws Exception {
    AtomicReference<Resolution<String>> read =
        new AtomicReference<>(new Resolution.Found<>("nights", "u/1"));
    CheckChanges<String> checks = changes(read::get, key -> {});
    ObjectKey budget = ObjectKey.cluster("budget");
    checkObjects.sync();
    checks.reconcile(budget);

    read.set(new Resolution.Found<>("nights", "u/2"));
    checkObjects.sync();
    checks.reconcile(budget);
    assertThat(memory.of(KEY, "budget").newParameters()).isNull();

    read.set(new Resolution.Bad<>("the window makes no sense"));
    checkObjects.sync();
    checks.reconcile(budget);
    read.set(new Resolution.Found<>("weekends", "u/4"));
    checkObjects.sync();
    checks.reconcile(budget);
    assertThat(memory.of(KEY, "budget").newParameters()).isEqualTo(read.get());
    assertThat(memory.of(KEY, "another").newParameters()).isNull();
  }

  /** The Retry by the former parameters is not visible when the change comes. */
  @Test
  void aChangeOfParametersWhileTheVerdictIsWrittenEndsItsDelay() throws Exception {
    rechecks = new Due.Rechecks(null, false);
    author =
        evaluation -> {
          memory.parametersChange(KEY, "budget", WEEKENDS);
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
    assertThat(memory.of(KEY, "budget").newParameters()).isNull();
  }

  /** The informer shows the entry before the Retry by the former parameters. */
  @Test
  void aChangeOfParametersWhoseAnswerComesTooLateIsNotForgotten() throws Exception {
    rechecks = new Due.Rechecks(null, false);
    reconcile();
    memory.parametersChange(KEY, "budget", WEEKENDS);
    memory.of(KEY, "budget").progress(null); // As for any other basis.
    author = evaluation -> Verdict.pending("open soon");
    reconcile();
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(3600);

    backoff();
    reconcile();

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
  }

  /** The check is asked and sends the workload back before it is told of its new parameters. */
  @Test
  void aChangeThatIsHeardOfLateEndsNoDelayByTheNewParameters() throws Exception {
    for (boolean delayEnding : List.of(false, true)) {
      rechecks = new Due.Rechecks(null, delayEnding);
      memory = new EvaluationMemory();
      evaluations.clear();
      reserved(T0);
      workloads.sync();
      reconcileWith(() -> new Resolution.Found<>("weekends", "u/3"));
      backoff();

      // Between the change and the news of it only an annotation has changed.
      memory.parametersChange(KEY, "budget", WEEKENDS);
      reconcileWith(() -> WEEKENDS);
      assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(3600);
      assertThat(evaluations).hasSize(1);

      delayEnds = waiting -> Optional.empty();
      memory.parametersChange(KEY, "budget", new Resolution.Found<>("never", "u/5"));
      reconcileWith(() -> new Resolution.Found<>("never", "u/5"));
      assertThat(entry("budget").requeueAfterSeconds()).isZero();
      assertThat(evaluations).as("it ends unasked").hasSize(1);
    }
  }

  /** Also where the news comes while such an evaluation runs. */
  @Test
  void aChangeThatIsHeardOfDuringAnEvaluationByTheNewParametersEndsNoDelay() throws Exception {
    rechecks = new Due.Rechecks(null, false);
    author =
        evaluation -> {
          memory.parametersChange(KEY, "budget", WEEKENDS);
          return AN_HOUR;
        };
    reconcileWith(() -> WEEKENDS);
    backoff();
    reconcileWith(() -> WEEKENDS);

    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(3600);
    assertThat(memory.of(KEY, "budget").newParameters()).isNull();
  }

  /** Only the Retry that stands counts: its parameters are those in between. */
  @Test
  void aChangeBackToTheParametersOfAnEarlierRetryEndsTheDelay() throws Exception {
    rechecks = new Due.Rechecks(null, false);
    reconcileWith(() -> WEEKENDS);
    reserved(T0.plusSeconds(60));
    workloads.sync();
    Resolution<String> back = new Resolution.Found<>("weekends", "u/6");
    author =
        evaluation -> {
          memory.parametersChange(KEY, "budget", back);
          return AN_HOUR;
        };
    reconcileWith(() -> new Resolution.Found<>("never", "u/5"));
    assertThat(evaluations).hasSize(2);
    backoff();
    reconcileWith(() -> back);

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
  }

  /** The worker has looked up the former parameters and not begun its evaluation. */
  @Test
  void aChangeRightAfterTheParametersWereLookedUpEndsTheDelay() throws Exception {
    rechecks = new Due.Rechecks(null, false);
    reconcileWith(
        () -> {
          memory.parametersChange(KEY, "budget", WEEKENDS);
          return new Resolution.Found<>("nights", "u/1");
        });
    backoff();
    reconcileWith(() -> WEEKENDS);

    assertThat(entry("budget").requeueAfterSeconds()).isZero();
  }

  private void reconcileWith(Supplier<Resolution<String>> parameters) throws Exception {
    reconciler(lookup(parameters), recording()).reconcile(KEY);
  }

  private CheckChanges<String> changes(
      Supplier<Resolution<String>> parameters, Consumer<ObjectKey> queue) {
    Check<String> check = evaluation -> Verdict.ready(evaluation.parameters());
    WakeUps wakeUps = new WakeUps(workloads, memory, List.of(time), queue);
    return new CheckChanges<>(
        checks(lookup(parameters), remarks(check), new AwaitedKinds(cluster)),
        wakeUps,
        conditions());
  }

  private static ParametersLookup<String> lookup(Supplier<Resolution<String>> parameters) {
    return new ParametersLookup<>() {
      @Override
      public Resolution<String> of(AdmissionCheck object) {
        return parameters.get();
      }

      @Override
      public Optional<Informer<?>> informer() {
        return Optional.empty();
      }

      @Override
      public Optional<ObjectKey> referenced(AdmissionCheck object) {
        return Optional.empty();
      }
    };
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
