// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.sdk.Delay;
import io.github.kueue4j.sdk.Guards;
import io.github.kueue4j.sdk.NoParameters;
import io.github.kueue4j.sdk.Reason;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What runs ends by a second answer only, and not all of it at once. */
class RevokingTest extends EvaluatorFixture {
  private static final Reason WITHDRAWN = Reason.of("Withdrawn");
  private static final Verdict NO = Verdict.rejected(WITHDRAWN, "no");

  RevokingTest() {
    guards = guards.withRevocations(Guards.RevocationLimits.defaults());
    rechecks = new Due.Rechecks(Duration.ofMinutes(5), false);
  }

  @BeforeEach
  void admitted() {
    admitted(KEY);
    time.advance(Duration.ofMinutes(6));
  }

  private void admitted(ObjectKey key) {
    cluster.change(
        KueueTypes.WORKLOAD,
        key,
        workload -> {
          JsonObject entry = entryOf(workload, "budget");
          entry.addProperty("state", "Ready");
          condition(workload, "Admitted", "True", T0);
        });
    workloads.sync();
  }

  private double revocations(String outcome) {
    return meters.get("kueue4j.check.revocations").tag("outcome", outcome).counter().count();
  }

  private CheckState state() {
    return entry("budget").state();
  }

  @Test
  void theFirstAnswerIsToldAndTheSecondEndsIt() throws Exception {
    author = evaluation -> NO;

    Requeue requeue = reconcile();
    assertThat(state()).isEqualTo(CheckState.READY);
    assertThat(requeue).isEqualTo(Requeue.at(time.instant().plusSeconds(30)));
    assertThat(events)
        .containsExactly(
            "team-a/train: Admission check budget says Rejected (Withdrawn) about this workload,"
                + " which it let through; it is asked again in 30 s, and the workload ends if the"
                + " answer is the same");

    time.advance(Duration.ofSeconds(20));
    memory.wake(KEY, "budget");
    reconcile();
    assertThat(evaluations).hasSize(2);
    assertThat(state()).as("too soon").isEqualTo(CheckState.READY);
    assertThat(events).hasSize(1);

    time.advance(Duration.ofSeconds(10));
    reconcile();
    assertThat(state()).isEqualTo(CheckState.REJECTED);
    assertThat(revocations("unconfirmed")).isEqualTo(2);
    assertThat(revocations("written")).isEqualTo(1);
    assertThat(revocations("held_back")).isZero();
  }

  @Test
  void aReadyInBetweenBeginsAnew() throws Exception {
    author = evaluation -> evaluations.size() == 2 ? Verdict.unchanged("fine") : NO;
    reconcile();
    time.advance(Duration.ofSeconds(30));
    reconcile();
    time.advance(Duration.ofMinutes(6));
    reconcile();

    assertThat(evaluations).hasSize(3);
    assertThat(state()).isEqualTo(CheckState.READY);
  }

  @Test
  @ExpectedLog(logger = "Evaluator", message = "Evaluation failed")
  void aFailureOrAnotherStateInBetweenBeginsAnew() throws Exception {
    author =
        evaluation -> {
          if (evaluations.size() == 2) {
            throw new IllegalStateException("broken");
          }
          return evaluations.size() == 4 ? Verdict.retry(WITHDRAWN, "no", Delay.none()) : NO;
        };
    for (int i = 0; i < 4; i++) {
      reconcile();
      time.advance(Duration.ofSeconds(31));
    }

    assertThat(evaluations).hasSize(4);
    assertThat(state()).isEqualTo(CheckState.READY);

    reconcile();
    assertThat(state()).as("Rejected after Retry").isEqualTo(CheckState.READY);
    time.advance(Duration.ofSeconds(31));
    reconcile();
    assertThat(state()).isEqualTo(CheckState.REJECTED);
  }

  @Test
  void aRestartBeginsAnew() throws Exception {
    author = evaluation -> NO;
    reconcile();
    time.advance(Duration.ofSeconds(30));
    memory = new EvaluationMemory();

    reconcile();
    assertThat(state()).isEqualTo(CheckState.READY);
    time.advance(Duration.ofSeconds(30));
    reconcile();
    assertThat(state()).isEqualTo(CheckState.REJECTED);
  }

  @Test
  void withoutLimitsOneAnswerEndsIt() throws Exception {
    replaceGuards(guards.withRevocations(null));
    author = evaluation -> Verdict.retry(WITHDRAWN, "no", Delay.none());

    reconcile();

    assertThat(state()).isEqualTo(CheckState.RETRY);
    assertThat(revocations("written")).isEqualTo(1);
  }

  @Test
  void whatWaitsIsRejectedByTheFirstAnswer() throws Exception {
    cluster.change(
        KueueTypes.WORKLOAD,
        KEY,
        workload -> {
          entryOf(workload, "budget").addProperty("state", "Pending");
          condition(workload, "Admitted", "False", T0);
        });
    workloads.sync();
    author = evaluation -> NO;

    reconcile();

    assertThat(state()).isEqualTo(CheckState.REJECTED);
  }

  /** The informer is behind: asked again, it is about what runs, and the limits hold. */
  @Test
  void anAnswerFromBeforeTheAdmissionEndsNothing() throws Exception {
    change(workload -> condition(workload, "Admitted", "False", T0));
    author = evaluation -> NO;
    reconcile();
    time.advance(Duration.ofSeconds(30));
    changeQuietly(workload -> condition(workload, "Admitted", "True", T0));

    Requeue again = reconcile();
    assertThat(state()).isEqualTo(CheckState.READY);
    assertThat(dropped("Admitted")).isEqualTo(1);
    assertThat(again).isNotEqualTo(Requeue.never());

    workloads.sync();
    reconcile();
    assertThat(state()).isEqualTo(CheckState.READY);
    assertThat(revocations("unconfirmed")).isEqualTo(2);
  }

  /** Its Ready was about another Workload than the one that was admitted. */
  @Test
  void anAnswerAboutAnEditFromBeforeTheAdmissionHolds() throws Exception {
    replaceGuards(guards.withRevocations(null));
    rechecks = new Due.Rechecks(null, false);
    change(workload -> condition(workload, "Admitted", "False", T0));
    reconcile();
    change(
        workload -> {
          JsonObject labels = new JsonObject();
          labels.addProperty("size", "huge");
          workload.getAsJsonObject("metadata").add("labels", labels);
        });
    author =
        evaluation ->
            during(() -> changeQuietly(now -> condition(now, "Admitted", "True", T0)), NO);

    reconcile();

    assertThat(state()).isEqualTo(CheckState.REJECTED);
  }

  /** Twenty at once: five end, the rest is told, and ends later if the answer stays. */
  @Test
  @ExpectedLog(logger = "RevocationNews", message = "held back")
  void notAllEndAtOnce() throws Exception {
    List<ObjectKey> jobs =
        IntStream.range(0, 20).mapToObj(i -> new ObjectKey("team-a", "job-" + i)).toList();
    for (ObjectKey job : jobs) {
      JsonObject copy = cluster.raw(KueueTypes.WORKLOAD, KEY).deepCopy();
      copy.getAsJsonObject("metadata").addProperty("name", job.name());
      copy.getAsJsonObject("metadata").addProperty("uid", job.name());
      cluster.put(KueueTypes.WORKLOAD, copy.toString());
    }
    workloads.sync();
    author = evaluation -> NO;

    round(jobs);
    time.advance(Duration.ofSeconds(30));
    round(jobs);
    assertThat(ended(jobs)).isEqualTo(5);
    assertThat(events.stream().filter(event -> event.startsWith("Warning: "))).hasSize(15);
    assertThat(events)
        .contains(
            "Warning: team-a/job-19: Admission check budget says Rejected (Withdrawn) about this"
                + " workload, which it let through, but has ended as many workloads of late as its"
                + " controller lets it end; it is asked again in 5 min");
    assertThat(revocations("held_back")).isEqualTo(15);

    time.advance(Duration.ofMinutes(5));
    round(jobs);
    assertThat(ended(jobs)).as("within the window").isEqualTo(5);

    author = evaluation -> evaluation.key().name().equals("job-19") ? Verdict.unchanged("") : NO;
    for (int expected = 10; expected < 20; expected += 5) {
      time.advance(Duration.ofMinutes(5));
      round(jobs);
      assertThat(ended(jobs)).isEqualTo(expected);
      time.advance(Duration.ofMinutes(5));
      round(jobs);
      assertThat(ended(jobs)).isEqualTo(expected);
    }
    time.advance(Duration.ofMinutes(5));
    round(jobs);
    assertThat(ended(jobs)).isEqualTo(19);
    assertThat(events.stream().filter(event -> event.startsWith("Warning: "))).hasSize(15);
  }

  private void round(List<ObjectKey> jobs) throws Exception {
    WorkloadReconciler<NoParameters> reconciler =
        reconciler(
            new ParametersLookup.Constant<>(NoParameters.INSTANCE),
            evaluation -> author.evaluate(evaluation));
    for (ObjectKey job : jobs) {
      reconciler.reconcile(job);
    }
    workloads.sync();
  }

  private long ended(List<ObjectKey> jobs) {
    return jobs.stream()
        .filter(
            job ->
                entryOf(cluster.raw(KueueTypes.WORKLOAD, job), "budget")
                    .get("state")
                    .getAsString()
                    .equals("Rejected"))
        .count();
  }
}
