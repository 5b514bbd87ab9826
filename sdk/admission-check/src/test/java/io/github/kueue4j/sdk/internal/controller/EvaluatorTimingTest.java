// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.sdk.Backoff;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a check is asked, when it is asked again, and what it may remember of it. */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class EvaluatorTimingTest extends EvaluatorFixture {

  @Test
  void pendingIsAskedAgainWhenItsTimeHasComeAndNotBefore() throws Exception {
    author = evaluation -> Verdict.pending("waiting", Duration.ofMinutes(1));

    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(60)));
    workloads.sync();
    time.advance(Duration.ofSeconds(59));
    assertThat(reconcile()).isEqualTo(Requeue.at(time.instant().plusSeconds(1)));
    assertThat(evaluations).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(cluster.patches()).isEqualTo(1);
    assertThat(entry("budget").message()).isEqualTo("waiting");
    assertThat(entry("budget").lastTransitionTime()).isEqualTo(T0);
  }

  @Test
  void pendingIsAskedAgainWhenTheCheckIsWokenOrTheSpecChanges() throws Exception {
    author = evaluation -> Verdict.pending("waiting");
    reconcile();
    workloads.sync();

    memory.wake(KEY, "budget");
    reconcile();
    assertThat(evaluations).hasSize(2);

    change(workload -> workload.getAsJsonObject("metadata").addProperty("generation", 9));
    reconcile();
    assertThat(evaluations).hasSize(3);

    reconcile();
    assertThat(evaluations).hasSize(3);
  }

  @Test
  void aVerdictIsNotRepeatedWhileTheInformerStillShowsTheOldEntry() throws Exception {
    reconcile();
    reconcile();
    memory.wake(KEY, "budget");
    reconcile();

    assertThat(evaluations).hasSize(1);
    assertThat(cluster.patches()).isEqualTo(1);
  }

  @Test
  void afterARestartOnlyWhatIsPendingIsAskedAgain() throws Exception {
    author = evaluation -> Verdict.pending("waiting");
    reconcile();
    workloads.sync();
    memory = new EvaluationMemory();
    author = evaluation -> Verdict.ready("fine");
    reconcile();
    workloads.sync();
    memory = new EvaluationMemory();
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(cluster.patches()).isEqualTo(2);
  }

  /** What would run is not what the check let through. */
  @ParameterizedTest
  @ValueSource(strings = {"generation", "labels", "annotations"})
  void aReadyIsAskedAboutAgainIfItsWorkloadChangesBeforeTheAdmission(String field)
      throws Exception {
    reconcile();
    workloads.sync();
    reconcile();
    assertThat(evaluations).hasSize(1);

    author = evaluation -> Verdict.retry(FULL, "it has become too large", Delay.none());
    change(workload -> changeMetadata(workload, field));
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
  }

  @Test
  void soIsOneWhoseWorkloadChangedWhileItWasJudged() throws Exception {
    author =
        evaluation ->
            during(
                () -> changeQuietly(workload -> changeMetadata(workload, "generation")),
                Verdict.ready("fine"));
    reconcile();
    author = evaluation -> Verdict.ready("fine still");
    workloads.sync();
    reconcile();
    workloads.sync();
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(entry("budget").message()).isEqualTo("fine still");
  }

  @Test
  void onceAdmittedOnlyChecksThatKeepAnEyeOnWhatRunsAreAskedAboutAChange() throws Exception {
    reconcile();
    workloads.sync();
    change(workload -> condition(workload, "Admitted", "True", T0.plusSeconds(11)));
    reconcile();
    change(workload -> changeMetadata(workload, "generation"));
    reconcile();
    assertThat(evaluations).hasSize(1);
    assertThat(memory.of(KEY, "budget").readyAbout()).as("kept for as long as it runs").isNull();

    rechecks = new Due.Rechecks(Duration.ofMinutes(10), false);
    reconcile();
    change(workload -> changeMetadata(workload, "labels"));
    reconcile();
    reconcile();

    assertThat(evaluations).hasSize(2);
  }

  @Test
  void afterARestartTheseAreAskedOnceAboutWhatIsReadyAndNotAdmitted() throws Exception {
    rechecks = new Due.Rechecks(Duration.ofMinutes(10), false);
    reconcile();
    workloads.sync();
    reconcile();
    assertThat(evaluations).hasSize(1);

    memory = new EvaluationMemory();
    reconcile();
    reconcile();
    assertThat(evaluations).hasSize(2);

    change(workload -> condition(workload, "Admitted", "True", T0.plusSeconds(11)));
    memory = new EvaluationMemory();
    reconcile();
    assertThat(evaluations).as("when its interval is over").hasSize(2);
  }

  @Test
  void aChangeThatCouldNotBeJudgedIsTriedAgainLater() throws Exception {
    reconcile();
    workloads.sync();
    reconcile();
    author =
        evaluation -> {
          throw new IllegalStateException("no answer");
        };
    change(workload -> changeMetadata(workload, "labels"));
    reconcile();
    reconcile();
    assertThat(evaluations).hasSize(2);

    author = evaluation -> Verdict.rejected(FULL, "no");
    time.advance(Duration.ofSeconds(2));
    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.REJECTED);
  }

  private static void changeMetadata(JsonObject workload, String field) {
    JsonObject metadata = workload.getAsJsonObject("metadata");
    if (field.equals("generation")) {
      metadata.addProperty("generation", 9);
    } else {
      JsonObject map = new JsonObject();
      map.addProperty("team", "b");
      metadata.add(field, map);
    }
  }

  @Test
  void nothingIsRememberedOfWorkloadsAndEntriesThatAreGone() throws Exception {
    author = evaluation -> Verdict.pending("waiting");
    reconcile();
    memory.wake(KEY, "budget");
    memory.wake(KEY, "another");
    assertThat(memory.size()).isEqualTo(1);

    cluster.remove(KueueTypes.WORKLOAD, KEY);
    workloads.sync();
    reconcile();

    assertThat(memory.size()).isZero();
  }

  @Test
  void untilTheAdmissionOnlyWhatWaitsIsRechecked() throws Exception {
    rechecks = new Due.Rechecks(Duration.ofMinutes(10), true, false);
    reconcile();
    workloads.sync();
    reconcile();
    time.advance(Duration.ofMinutes(10));
    reconcile();
    assertThat(evaluations).hasSize(2);

    change(workload -> condition(workload, "Admitted", "True", T0.plusSeconds(11)));
    change(workload -> changeMetadata(workload, "generation"));
    time.advance(Duration.ofMinutes(10));

    assertThat(reconcile()).isEqualTo(Requeue.never());
    assertThat(evaluations).hasSize(2);
    assertThat(memory.of(KEY, "budget").readyAbout()).as("kept for as long as it runs").isNull();
  }

  @Test
  void readyIsRecheckedOnlyIfAskedFor() throws Exception {
    rechecks = new Due.Rechecks(Duration.ofMinutes(10), false);
    reconcile();
    workloads.sync();
    change(workload -> condition(workload, "Admitted", "True", T0.plusSeconds(11)));
    author = evaluation -> Verdict.retry(FULL, "licence expired", Delay.none());

    Instant due = entry("budget").lastTransitionTime().plus(Duration.ofMinutes(10));
    assertThat(reconcile()).isEqualTo(Requeue.at(due));
    assertThat(evaluations).hasSize(1);
    time.advanceTo(due);
    reconcile();

    assertThat(evaluations).hasSize(2);
    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
  }

  @Test
  void wokenInItsBackoffTheCheckEndsItsOwnDelay() throws Exception {
    rechecks = new Due.Rechecks(null, true);
    author = evaluation -> Verdict.retry(FULL, "full", Delay.exactly(Duration.ofHours(1)));
    reconcile();
    evict();
    change(
        workload -> {
          condition(workload, "QuotaReserved", "False", T0.plusSeconds(12));
          condition(workload, "Requeued", "False", T0.plusSeconds(12));
          workload.getAsJsonObject("status").remove("admission");
        });
    author = evaluation -> Verdict.unchanged("bug");
    delayEnds = waiting -> Optional.of("room again");

    reconcile();
    assertThat(evaluations).hasSize(1);
    memory.wake(KEY, "budget");
    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
    assertThat(entry("budget").requeueAfterSeconds()).isZero();
    assertThat(entry("budget").message()).isEqualTo("room again");
    assertThat(evaluations.get(1).totalRequests()).containsEntry("cpu", Quantity.parse("4"));

    assertThat(meters.get("kueue4j.check.delays.ended").counter().count()).isEqualTo(1);
    workloads.sync();
    memory.wake(KEY, "budget");
    reconcile();
    assertThat(evaluations).as("a delay that has ended can't end again").hasSize(2);
  }

  /** The delay that is announced is the one that is written, with its jitter. */
  @Test
  void aRetryAnnouncesItsDelay() throws Exception {
    change(workload -> entryOf(workload, "budget").addProperty("retryCount", 3));
    Backoff jittered = Backoff.exponential(Duration.ofSeconds(30), 2).withJitter(1);

    int written =
        Objects.requireNonNull(
            delayWith(Verdict.retry(FULL, "Again in {delay} (attempt {attempt}).", jittered)));

    assertThat(written).isBetween(241, 480);
    assertThat(entry("budget").message())
        .isEqualTo("Again in %d min %d s (attempt 3).".formatted(written / 60, written % 60));
    assertThat(delayWith(Verdict.retry(FULL, "Attempt {attempt}.", Delay.none()))).isNull();
    assertThat(entry("budget").message()).isEqualTo("Attempt 3.");
  }

  /** What is left of it changes each second; the text doesn't. */
  @Test
  void aDelayThatTheServerDropsIsAnnouncedByTheSameTextUntilItIsOver() throws Exception {
    droppedDelays.stored("budget", false);
    Duration hour = Duration.ofHours(1);
    memory
        .of(KEY, "budget")
        .ownDelay(new DroppedDelays.OwnDelay(hour, Instant.parse("2026-06-01T11:00:10Z")));
    author = evaluation -> Verdict.retry(FULL, "Again in {delay}.", Delay.exactly(hour));
    for (int second = 0; second < 10; second++) {
      memory.wake(KEY, "budget");
      reconcile();
      workloads.sync();
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(evaluations).hasSize(10);
    assertThat(entry("budget").message())
        .isEqualTo(
            "Again in 60 min. (the delay began with the last Retry and ends at"
                + " 2026-06-01T11:00:10Z)");
    assertThat(cluster.patches()).isEqualTo(1);
  }

  /** KEP-3258's example: a budget of the day, GPUs on attempt 4, a licence at once. */
  @Test
  void theExampleOfTheEnhancementProposal() throws Exception {
    change(workload -> entryOf(workload, "budget").addProperty("retryCount", 4));
    Backoff midnight = Backoff.untilMidnight(ZoneId.of("UTC")).withoutJitter();
    Backoff gpus = Backoff.exponential(Duration.ofSeconds(30), 2).withoutJitter();

    assertThat(delayWith(Verdict.retry(FULL, "", midnight))).isEqualTo((14 * 3600) - 10);
    assertThat(delayWith(Verdict.retry(FULL, "", gpus))).isEqualTo(8 * 60);
    assertThat(delayWith(Verdict.retry(FULL, "", Delay.none()))).isNull();
    assertThat(entry("budget").retryCount()).isEqualTo(4);
  }

  private @Nullable Integer delayWith(Verdict verdict) throws Exception {
    change(workload -> entryOf(workload, "budget").addProperty("state", "Pending"));
    memory = new EvaluationMemory();
    author = evaluation -> verdict;
    reconcile();
    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
    return entry("budget").requeueAfterSeconds();
  }
}
