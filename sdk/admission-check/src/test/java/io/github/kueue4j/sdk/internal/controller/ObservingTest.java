// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A check in the mode Observe records what it would have answered, and nothing waits for it. */
class ObservingTest extends EvaluatorFixture {
  private static final Reason FULL = Reason.of("Full");
  private static final Verdict RETRY =
      Verdict.retry(FULL, "again in {delay}", Delay.exactly(Duration.ofHours(1)));

  private void mode(String mode) {
    cluster.put(
        KueueTypes.ADMISSION_CHECK,
        """
        {"metadata": {"name": "budget", "uid": "budget",
          "annotations": {"kueue4j.io/mode": "%s"}},
         "spec": {"controllerName": "example.com/test"}}
        """
            .formatted(mode));
    checkObjects.sync();
  }

  private void admit() {
    change(workload -> condition(workload, "Admitted", "True", T0.plusSeconds(1)));
  }

  static Stream<Arguments> verdicts() {
    return Stream.of(
        Arguments.of(Verdict.ready("fine"), "Ready", "", "fine"),
        Arguments.of(RETRY, "Retry", "Full", "again in 60 min"),
        Arguments.of(Verdict.rejected(FULL, "never"), "Rejected", "Full", "never"),
        Arguments.of(Verdict.pending("soon"), "Pending", "", "soon"),
        Arguments.of(Verdict.unchanged("(no) word"), "Pending", "", "(no) word"));
  }

  /** The informer shows the admission, and not yet the record. */
  @Test
  void anAdmissionMeanwhileIsNoReasonToAskAgain() throws Exception {
    mode("Observe");
    author = evaluation -> during(this::admit, RETRY);

    reconcile();
    reconcile();

    assertThat(evaluations).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  void eachVerdictIsRecordedOnceAsAReadyWithNothingToCarryOut(
      Verdict verdict, String state, String reason, String message) throws Exception {
    mode("Observe");
    author = evaluation -> verdict;

    reconcile();

    AdmissionCheckState entry = entry("budget");
    assertThat(entry.state()).isEqualTo(CheckState.READY);
    assertThat(entry.requeueAfterSeconds()).isNull();
    assertThat(ObservedAnswer.of(entry))
        .contains(new ObservedAnswer(new CheckState(state), reason, message));
    assertThat(
            meters
                .get("kueue4j.check.observed")
                .tags("check", "budget", "state", state, "reason", reason)
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(meters.find("kueue4j.check.verdicts").counters()).isEmpty();
    assertThat(events).singleElement().asString().contains("Observe mode", state);

    workloads.sync();
    memory.wake(KEY, "budget");
    time.advance(Duration.ofDays(1));
    reconcile();
    assertThat(evaluations).as("asked once for each reservation").hasSize(1);
    assertThat(events).hasSize(1);
  }

  @Test
  @ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
  void aFailureIsRecordedToo() throws Exception {
    mode("Observe");
    author =
        evaluation -> {
          throw new IllegalStateException("broken");
        };

    reconcile();

    assertThat(ObservedAnswer.of(entry("budget")))
        .map(ObservedAnswer::state)
        .contains(CheckState.PENDING);
  }

  @Test
  void whatIsAdmittedAlreadyIsAskedAboutToo() throws Exception {
    mode("Observe");
    admit();
    author = evaluation -> RETRY;

    reconcile();

    assertThat(ObservedAnswer.of(entry("budget"))).isPresent();
  }

  @Test
  void onceEnforcedItIsAskedAnewAboutWhatWaits() throws Exception {
    mode("Observe");
    author = evaluation -> RETRY;
    reconcile();
    workloads.sync();

    mode("Enforce");
    reconcile();
    assertThat(entry("budget").state()).isEqualTo(CheckState.PENDING);
    workloads.sync();
    reconcile();
    assertThat(entry("budget").state()).isEqualTo(CheckState.RETRY);
    assertThat(entry("budget").requeueAfterSeconds()).isEqualTo(3600);
  }

  @Test
  void onceEnforcedItTakesNothingBackFromWhatWasAdmittedMeanwhile() throws Exception {
    rechecks = new Due.Rechecks(Duration.ofMinutes(5), false);
    mode("Observe");
    author = evaluation -> RETRY;
    reconcile();
    admit();

    mode("Enforce");
    time.advance(Duration.ofDays(1));
    memory.wake(KEY, "budget");
    reconcile();

    assertThat(evaluations).hasSize(1);
    assertThat(ObservedAnswer.of(entry("budget"))).isPresent();
  }

  @Test
  void anAdmissionThatTheInformerHasNotShownKeepsItsRecord() throws Exception {
    mode("Observe");
    author = evaluation -> RETRY;
    reconcile();
    workloads.sync();
    mode("Enforce");
    changeQuietly(workload -> condition(workload, "Admitted", "True", T0.plusSeconds(1)));

    reconcile();

    assertThat(ObservedAnswer.of(entry("budget"))).isPresent();
  }

  @Test
  void aReadyIsNotLookedAtAgainWhileItOnlyObserves() throws Exception {
    rechecks = new Due.Rechecks(Duration.ofMinutes(5), false);
    author = evaluation -> Verdict.ready("fine");
    reconcile();
    admit();

    mode("Observe");
    author = evaluation -> RETRY;
    time.advance(Duration.ofDays(1));
    reconcile();

    assertThat(evaluations).hasSize(1);
    assertThat(entry("budget").message()).isEqualTo("fine");
  }

  /**
   * A message of the author's own can't be taken for a record, which would be asked about again.
   */
  @Test
  void theReadyOfAnEnforcedCheckIsNoRecordWhateverItSays() throws Exception {
    String spoofed = new ObservedAnswer(CheckState.RETRY, "", "full").text();
    author = evaluation -> Verdict.ready(spoofed);

    reconcile();

    assertThat(entry("budget").state()).isEqualTo(CheckState.READY);
    assertThat(entry("budget").message()).isEqualTo("The check said: " + spoofed);
    assertThat(ObservedAnswer.of(entry("budget"))).isEmpty();
    workloads.sync();
    memory.wake(KEY, "budget");
    reconcile();
    assertThat(evaluations).as("answered").hasSize(1);
  }
}
