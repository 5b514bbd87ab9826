// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The deadline: base, delay, cap, jitter, recording, restart. */
class DeadlineTest {

  private static Situation withPolicy(WorkloadBuilder workload, RetryPolicy policy) {
    return workload
        .situation()
        .withChecks(RequiredChecks.of(List.of(CheckPolicy.of("a").withRetry(policy))));
  }

  @Test
  void isTheLatestOverTheRequiredRetryEntries() {
    Outcome.plan(
            workload()
                .reserved(10)
                .retry("a", 20, 60)
                .retry("b", 21, 70)
                .retry("gone", 21, 900)
                .situation(),
            21)
        .requeueAt(91.0);
  }

  @Test
  void exampleOfKep3258() {
    // Budget at midnight in 14 h, GPUs in 8 min on attempt 4, a license without a delay.
    Situation example =
        workload()
            .reserved(0)
            .retry("budget", 10, 50_400)
            .entry("gpu", CheckState.RETRY, 10, 480, 4)
            .retry("license", 10)
            .situation()
            .withChecks(
                RequiredChecks.of(
                    List.of(
                        CheckPolicy.of("budget"),
                        CheckPolicy.of("gpu"),
                        CheckPolicy.of("license"))));
    Situation backoff = Outcome.plan(example, 10.5).requeueAt(50_410.0).applied(example);
    Outcome.plan(backoff, 50_409.9).nothing();
    Outcome.plan(backoff, 50_410)
        .by(Rule.REQUEUE)
        .entries("budget=Pending@50410#1 gpu=Pending@50410#5 license=Pending@50410#1");
  }

  @ParameterizedTest
  @CsvSource({"20, 80", "18, 78", "19, 79"})
  void countsFromAnEntryWrittenWithinTheLastTwoSeconds(double written, double requeueAt) {
    Outcome.plan(workload().reserved(10).retry("a", written, 60).situation(), 20)
        .requeueAt(requeueAt)
        .entries("a=Retry@" + (int) written + "+60");
  }

  @ParameterizedTest
  @ValueSource(doubles = {17, -3600, 3600, 21, -1_767_268_800})
  void countsFromFirstSightIfTheWritersClockIsOffAndRecordsIt(double written) {
    Outcome.plan(workload().reserved(10).retry("a", written, 60).situation(), 20)
        .requeueAt(80.0)
        .entries("a=Retry@20+60");
  }

  @Test
  void itsOwnRecordingIsNotANewObservation() {
    Situation situation = workload().reserved(10).retry("a", -3600, 60).situation();
    Outcome first = Outcome.plan(situation, 20).requeueAt(80.0);
    Situation applied = first.applied(situation);
    Outcome.plan(applied, 50).nothing().wakesAt(80.0);
  }

  @Test
  void afterAFailedPatchTheFirstSightStillCounts() {
    Situation situation = workload().reserved(10).retry("a", -3600, 60).situation();
    Plan failed = Lifecycle.plan(situation, at(20));
    Outcome.plan(situation.withObservedEntries(failed.observed()), 25).requeueAt(80.0);
  }

  @Test
  void aRecordingWhoseAnswerWasLostIsNotANewObservation() {
    Situation situation = workload().reserved(10).retry("a", -3600, 60).situation();
    Plan.PatchStatus recording = Outcome.plan(situation, 20).requeueAt(80.0).status();
    Situation unanswered =
        situation.withObservedEntries(recording.observed().orApplied(recording.applied()));

    Situation written = unanswered.withWorkload(recording.after());
    Outcome.plan(written, 50).nothing().wakesAt(80.0);
    // Nor is it one if the patch wasn't written,
    Outcome again = Outcome.plan(unanswered, 25).requeueAt(80.0);
    assertThat(again.status().applied().unconfirmed()).isEmpty();
    // while another Retry is, although the answer isn't known.
    Situation anew =
        workload().heldFor("AdmissionCheck").retry("a", -3000, 60).requeueAt(80).situation();
    Outcome.plan(anew.withObservedEntries(unanswered.observedEntries()), 50)
        .by(Rule.LATE_UPDATE)
        .requeueAt(110.0);
  }

  @Test
  void aRecordingThatCanNoLongerBeWrittenIsForgotten() {
    Situation situation = workload().reserved(10).retry("a", -3600, 60).situation();
    Plan.PatchStatus recording = Outcome.plan(situation, 20).requeueAt(80.0).status();
    Situation withdrawn =
        workload()
            .reserved(10)
            .pending("a", 19)
            .pending("b", 19)
            .situation()
            .withObservedEntries(recording.observed().orApplied(recording.applied()));
    Plan waits = Outcome.plan(withdrawn, 21).nothing().plan();

    Situation anew =
        workload()
            .reserved(10)
            .retry("a", 20, 60)
            .situation()
            .withObservedEntries(waits.observed());
    Outcome.plan(anew, 3640).requeueAt(3700.0);
  }

  @Test
  void aRecordingIsForgottenOnceItsRetryIsOver() {
    Situation situation =
        workload().reserved(10).retry("a", -3600, 60).retry("b", 20, 9000).situation();
    Plan.PatchStatus recording = Outcome.plan(situation, 20).requeueAt(9020.0).status();
    Situation written =
        situation
            .withWorkload(recording.after())
            .withObservedEntries(recording.observed().orApplied(recording.applied()));
    Plan seen = Outcome.plan(written, 30).nothing().plan();
    Situation withdrawn =
        workload()
            .heldFor("AdmissionCheck")
            .pending("a", 40)
            .retry("b", 20, 9000)
            .requeueAt(9020)
            .situation()
            .withObservedEntries(seen.observed());
    Plan over = Outcome.plan(withdrawn, 40).nothing().plan();

    Situation anew =
        workload()
            .heldFor("AdmissionCheck")
            .retry("a", 20, 6000)
            .retry("b", 20, 9000)
            .requeueAt(9020)
            .situation()
            .withObservedEntries(over.observed());
    Outcome.plan(anew, 3640).requeueAt(9640.0);
  }

  /**
   * Found by the exploration: the core replaces a date in the future, and later a new Retry has
   * that very date.
   */
  @Test
  void aDateThatTheCoreReplacedMayBeThatOfAnotherRetry() {
    Situation situation = workload().reserved(10).retry("a", 40, 5).situation();
    Situation backoff = Outcome.plan(situation, 20).requeueAt(25.0).applied(situation);
    Situation again =
        backoff.withWorkload(
            backoff
                .workload()
                .withStatus(
                    backoff
                        .workload()
                        .status()
                        .withAdmissionCheck(
                            backoff
                                .workload()
                                .status()
                                .admissionCheck("a")
                                .orElseThrow()
                                .withLastTransitionTime(at(40))
                                .withRequeueAfterSeconds(60))));
    Outcome.plan(again, 40).by(Rule.LATE_UPDATE).requeueAt(100.0);
  }

  @Test
  void aNewLastTransitionTimeIsANewRetry() {
    Situation situation = workload().reserved(10).retry("a", 20, 60).situation();
    Situation backoff = Outcome.plan(situation, 20).applied(situation);
    Situation again =
        backoff.withWorkload(
            backoff
                .workload()
                .withStatus(
                    backoff
                        .workload()
                        .status()
                        .withAdmissionCheck(
                            backoff
                                .workload()
                                .status()
                                .admissionCheck("a")
                                .orElseThrow()
                                .withLastTransitionTime(at(40)))));
    Outcome.plan(again, 40).by(Rule.LATE_UPDATE).requeueAt(100.0);
  }

  @Test
  void afterItsResetTheSameRetryWrittenAgainIsANewOne() {
    Situation backoff =
        workload().heldFor("AdmissionCheck").retry("a", 20, 60).requeueAt(80).situation();
    Outcome requeued = Outcome.plan(backoff, 80).by(Rule.REQUEUE);
    // A writer with an outdated object writes the same entry again.
    Situation stale =
        requeued
            .applied(backoff)
            .withWorkload(workload().requeued("BackoffFinished").retry("a", 20, 60).build());
    Outcome.plan(stale, 81).by(Rule.STRAY_RETRY).requeueAt(141.0);
  }

  @Test
  void afterARestartARecordedRetryKeepsItsDeadline() {
    Situation backoff =
        workload()
            .heldFor("AdmissionCheck")
            .retry("a", 20, 60)
            .requeueAt(80)
            .situation()
            .withObservedEntries(ObservedEntries.none());
    Outcome.plan(backoff, 50).nothing().wakesAt(80.0);
  }

  @Test
  void afterARestartAnUnrecordedRetryCountsFromFirstSight() {
    Situation backoff =
        workload()
            .heldFor("AdmissionCheck")
            .retry("a", 20, 60)
            .situation()
            .withObservedEntries(ObservedEntries.none());
    Outcome.plan(backoff, 50).by(Rule.LATE_UPDATE).requeueAt(110.0).entries("a=Retry@50+60");
  }

  @Test
  void aRestartRightAfterTheRecordingComputesTheSameDeadline() {
    Situation situation = workload().reserved(10).retry("a", 3600, 60).situation();
    Situation applied = Outcome.plan(situation, 20.4).requeueAt(81.0).applied(situation);
    Outcome.plan(applied.withObservedEntries(ObservedEntries.none()), 30).nothing().wakesAt(81.0);
  }

  @Test
  void theCapIsAppliedAndReported() {
    Situation situation =
        workload()
            .reserved(10)
            .retry("a", 20, 1_000_000)
            .situation()
            .withSettings(
                LifecycleSettings.defaults().withRetryDelays(Duration.ZERO, Duration.ofMinutes(1)));
    Outcome outcome = Outcome.plan(situation, 20).requeueAt(80.0).entries("a=Retry@20+1000000");
    assertThat(outcome.message("Requeued")).contains("(1m, cut to maximumRetryDelay)");
  }

  @Test
  void theDefaultCapIsADay() {
    Outcome.plan(workload().reserved(10).retry("a", 20, Integer.MAX_VALUE).situation(), 20)
        .requeueAt(86_420.0);
  }

  @Test
  void aNegativeDelayIsTheShortest() {
    Outcome.plan(workload().reserved(10).retry("a", 20, -5).situation(), 20).requeueAt(21.0);
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, true"})
  void aShortestDelayOfMoreThanASecondIsTold(int seconds, boolean told) {
    Outcome outcome =
        Outcome.plan(
                workload()
                    .reserved(10)
                    .retry("a", 20)
                    .situation()
                    .withSettings(
                        LifecycleSettings.defaults()
                            .withRetryDelays(Duration.ofSeconds(seconds), Duration.ofDays(1))),
                20)
            .requeueAt(20.0 + seconds);
    assertThat(outcome.message("Requeued").contains("(2s, the minimumRetryDelay)")).isEqualTo(told);
  }

  @Test
  void anAbsentDelayIsComputedFromTheRetryCountAndRecorded() {
    RetryPolicy policy = RetryPolicy.backoff(Duration.ofSeconds(30), 2, Duration.ofHours(1));
    Outcome outcome =
        Outcome.plan(
            withPolicy(workload().reserved(10).entry("a", CheckState.RETRY, 20, null, 4), policy),
            20);
    outcome.requeueAt(500.0).entries("a=Retry@20+480#4");
    assertThat(outcome.message("Requeued")).contains("(8m, by its retry policy)");
  }

  @Test
  void zeroIsNotAbsent() {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(30));
    Outcome.plan(withPolicy(workload().reserved(10).retry("a", 20, 0), policy), 20)
        .requeueAt(21.0)
        .entries("a=Retry@20+0");
  }

  @Test
  void jitterIsAppliedOnceAndNeverBelowTheDelay() {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(100)).withJitter(0.5);
    Situation situation = withPolicy(workload().reserved(10).retry("a", 20), policy);
    Outcome first = Outcome.plan(situation, 20);
    Integer delay =
        java.util.Objects.requireNonNull(first.entry("a").requeueAfterSeconds(), "recorded delay");
    assertThat(delay).isBetween(100, 150);
    first.requeueAt(20.0 + delay);
    Outcome.plan(first.applied(situation), 21).nothing();
    Outcome.plan(situation, 20).requeueAt(20.0 + delay);
  }

  @Test
  void aDelayInTheEntryGetsNoJitter() {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(100)).withJitter(1);
    Outcome.plan(withPolicy(workload().reserved(10).retry("a", 20, 10), policy), 20)
        .requeueAt(30.0);
  }

  @Test
  void jitterDiffersBetweenAttempts() {
    RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(1000)).withJitter(1);
    Set<Integer> delays = new HashSet<>();
    for (int attempt = 0; attempt < 20; attempt++) {
      Situation situation =
          withPolicy(
              workload().reserved(10).entry("a", CheckState.RETRY, 20, null, attempt), policy);
      delays.add(Outcome.plan(situation, 20).entry("a").requeueAfterSeconds());
    }
    assertThat(delays).hasSizeGreaterThan(15).allMatch(delay -> delay >= 1000 && delay <= 2000);
  }

  @Test
  void theShortestDelayIsNotRecordedButFromWhenItCounts() {
    Outcome.plan(workload().reserved(10).retry("a", -3600).situation(), 20)
        .requeueAt(21.0)
        .entries("a=Retry@20");
  }

  @Test
  void withoutAShortestDelayARetryWithoutADelayHasNone() {
    Outcome.plan(
            workload()
                .reserved(10)
                .retry("a", -3600)
                .situation()
                .withSettings(
                    LifecycleSettings.defaults()
                        .withRetryDelays(Duration.ZERO, Duration.ofDays(1))),
            20)
        .requeueAt(null)
        .entries("a=Retry@-3600");
  }

  @Test
  void aDateBeforeTheReservationIsThatOfAClockThatLags() {
    Outcome.plan(workload().reserved(20).retry("a", 19, 60).situation(), 20)
        .requeueAt(80.0)
        .entries("a=Retry@20+60");
  }

  @Test
  void aRecordedTimeIsNotBeforeTheReservation() {
    // The core's clock went back, so the reservation is in the future.
    Outcome.plan(workload().reserved(100).retry("a", -3600, 60).situation(), 20)
        .requeueAt(80.0)
        .entries("a=Retry@100+60");
  }
}
