// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSetUpdate;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Answers that no author should give, on an API server that validates: none of them gets a workload
 * or the controller stuck, and the entry says what is wrong.
 */
@ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
class BadAnswersTest {

  private static final String CONTROLLER = "example.com/odd";
  private static final Reason FULL = Reason.of("Full");
  private static final String LONG = "x".repeat(1 << 20);
  private static final Duration YEARS_300 = Duration.ofDays(300 * 365);

  private final ManualTime time = ManualTime.create();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Check<NoParameters> answer = evaluation -> Verdict.ready("well");
  private KueueSide kueue;
  private ClusterConnection cluster;
  private CheckController controller;

  @BeforeEach
  void start() throws InterruptedException {
    kueue = new KueueSide(time);
    cluster = kueue.connect("odd");
    controller =
        CheckController.builder(CONTROLLER, CheckEnvironment.of(cluster, time))
            .check(
                evaluation -> {
                  calls.incrementAndGet();
                  return answer.evaluate(evaluation);
                })
            .build();
    kueue.admissionCheck("odd", CONTROLLER);
    controller.start();
  }

  @AfterEach
  void stop() {
    controller.close();
    cluster.close();
    kueue.close();
  }

  /** The verdicts that end up in an entry with their message, and the state that they lead to. */
  static Stream<Arguments> verdictsWithAMessage() {
    Delay day = Delay.exactly(Duration.ofDays(1));
    return Stream.of(
        Arguments.of(Named.of("Ready", Verdict.ready(LONG)), CheckState.READY),
        Arguments.of(Named.of("Pending", Verdict.pending(LONG)), CheckState.PENDING),
        Arguments.of(Named.of("Unchanged", Verdict.unchanged(LONG)), CheckState.PENDING),
        Arguments.of(
            Named.of("Retry", Verdict.retry(FULL, LONG + "{delay}", day)), CheckState.RETRY),
        Arguments.of(Named.of("Rejected", Verdict.rejected(FULL, LONG)), CheckState.REJECTED));
  }

  @ParameterizedTest
  @MethodSource("verdictsWithAMessage")
  void aMessageOfAMegabyteIsCut(Verdict verdict, CheckState state) {
    answer = evaluation -> verdict;

    AdmissionCheckState entry = answered();

    assertThat(entry.state()).isEqualTo(state);
    assertThat(entry.message()).hasSize(32768).startsWith("xxx").endsWith("x ...");
  }

  @Test
  void anExceptionOfAMegabyteIsCut() {
    answer =
        evaluation -> {
          throw new IllegalStateException(LONG);
        };

    assertThat(answered().message()).hasSizeLessThan(500).contains(": xxx");
  }

  @Test
  void aDelayOfThreeHundredYearsIsAsLongAsTheCoreWaits() {
    answer = evaluation -> Verdict.retry(FULL, "Again in {delay}.", Delay.exactly(YEARS_300));

    AdmissionCheckState entry = answered();

    assertThat(entry.state()).isEqualTo(CheckState.RETRY);
    assertThat(entry.requeueAfterSeconds()).isEqualTo(86_400);
    assertThat(entry.message()).isEqualTo("Again in 24 h.");
  }

  /** It waits, is not asked in between, and can be woken. */
  @Test
  void aRecheckInThreeHundredYearsIsOneThatAWakeUpCanStillEnd() {
    for (Duration never : List.of(YEARS_300, Duration.ofSeconds(Long.MAX_VALUE))) {
      calls.set(0);
      answer = evaluation -> Verdict.pending("for ages", never);
      ObjectKey job = kueue.workload("job-" + never.toDays());
      kueue.reserve(job, "odd");
      await().until(() -> kueue.entry(job, "odd").message().equals("for ages"));
      time.advance(Duration.ofDays(365));
      // A later workload that has its answer shows that the controller has done what was due.
      ObjectKey later = kueue.workload("later-" + never.toDays());
      kueue.reserve(later, "odd");
      await().until(() -> kueue.entry(later, "odd").message().equals("for ages"));
      assertThat(calls).as("one call for each workload").hasValue(2);

      answer = evaluation -> Verdict.ready("woken");
      controller.wake(job);
      await().until(() -> kueue.entry(job, "odd").is(CheckState.READY));
    }
  }

  @Test
  void tenThousandUpdatesOfOnePodSetAreRefused() {
    answer = evaluation -> Verdict.ready("", Collections.nCopies(10_000, PodSetUpdate.of("main")));

    assertRefused("it updates the pod set 'main' more than once");
  }

  @Test
  void tenThousandUpdatesOfPodSetsThatAreNotThereAreRefused() {
    answer =
        evaluation ->
            Verdict.ready(
                "", IntStream.range(0, 10_000).mapToObj(i -> PodSetUpdate.of("p" + i)).toList());

    assertRefused("it updates the pod set 'p0', but the workload has main");
  }

  @Test
  void anUpdateThatNoPodCanCarryIsRefused() {
    answer =
        evaluation ->
            Verdict.ready(
                "",
                List.of(
                    new PodSetUpdate("main", Map.of(), Map.of("note", LONG), Map.of(), List.of())));

    assertRefused("bytes: write at most 262144");
  }

  /** As after any failure: told, tried again, and in the end the quota is given back. */
  private void assertRefused(String fault) {
    AdmissionCheckState entry = answered();

    assertThat(entry.state()).isEqualTo(CheckState.PENDING);
    assertThat(entry.message()).contains(fault);
    assertThat(entry.podSetUpdates()).isEmpty();
    await()
        .until(
            () -> {
              time.advance(Duration.ofSeconds(10));
              return kueue.entry(new ObjectKey("default", "job"), "odd").is(CheckState.RETRY);
            });
  }

  /** The entry of a workload as the check's first answer leaves it. */
  private AdmissionCheckState answered() {
    ObjectKey job = kueue.workload("job");
    kueue.reserve(job, "odd");
    await().until(() -> !kueue.entry(job, "odd").message().isEmpty());
    return kueue.entry(job, "odd");
  }
}
