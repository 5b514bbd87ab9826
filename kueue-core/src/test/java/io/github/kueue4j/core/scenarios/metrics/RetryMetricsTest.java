// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.Simulated;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator sees of retries, backoffs and late answers. */
@Simulated
class RetryMetricsTest {
  private static final String CHECKS =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  private static final String UNTIL = "kueue4j.check.backoff.until.seconds";

  @Test
  void aDelayedRetryIsCountedAndTimedAndItsWorkloadShownInBackoff() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      await(cluster, "reserved", () -> inPhase(core, "RESERVED") == 1);
      await(cluster, "pending", () -> inState(core, "Pending") == 1);

      cluster.advance(Duration.ofSeconds(40));
      cluster.answer("job", "budget", CheckState.RETRY, 600);

      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      await(cluster, "in backoff", () -> inPhase(core, "BACKOFF") == 1);
      await(cluster, "not reserved", () -> inPhase(core, "RESERVED") == 0);
      await(cluster, "not Pending", () -> inState(core, "Pending") == 0);
      await(cluster, "not counted without a reservation", () -> inState(core, "Retry") <= 0);
      Timer pending = timer(core, "kueue4j.check.state.duration", "state", "Pending");
      assertThat(pending.count()).isEqualTo(1);
      assertThat(pending.totalTime(TimeUnit.SECONDS)).isEqualTo(40);
      assertThat(core.meters().find("kueue4j.check.retries").counter()).isNull();
      assertThat(core.meters().find("kueue4j.check.late.writes").counter()).isNull();

      cluster.settle();
      cluster.advance(Duration.ofMinutes(10));

      cluster.awaitWorkload("job", TestCluster::reserved);
      await(cluster, "reserved again", () -> inPhase(core, "RESERVED") == 1);
      assertThat(core.meters().get("kueue4j.check.retries").tag("check", "budget").counter())
          .extracting(Counter::count)
          .isEqualTo(1.0);
      Timer delay = timer(core, "kueue4j.check.retry.delay", "check", "budget");
      assertThat(delay.totalTime(TimeUnit.SECONDS)).isEqualTo(600);
      assertThat(delay.takeSnapshot().histogramCounts()).isNotEmpty();
      assertThat(timer(core, "kueue4j.check.state.duration", "state", "Retry").count())
          .isEqualTo(1);
    }
  }

  /** The other ways in which a delay ends; the first test of this class shows the requeue. */
  @ParameterizedTest
  @ValueSource(strings = {"deleted", "deactivated", "rejected"})
  void aDelayIsShownWhileItLastsAndTimedHoweverItEnds(String end) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      Instant answered = cluster.time.instant();
      cluster.answer("job", "budget", CheckState.RETRY, 600);

      await(cluster, "in backoff", () -> delayed(core) == 1);
      assertThat(core.meters().get(UNTIL).tag("check", "budget").gauge().value())
          .isEqualTo((double) answered.plusSeconds(600).getEpochSecond());
      assertThat(core.meters().find("kueue4j.check.retry.delay").timer()).isNull();

      cluster.settle();
      ObjectKey key = ObjectKey.of(cluster.workload("job"));
      switch (end) {
        case "deleted" -> cluster.delete("job");
        case "deactivated" ->
            cluster.api.patch(
                KueueTypes.WORKLOAD, key, TestCluster.merge("{\"spec\": {\"active\": false}}"));
        default -> cluster.answer("job", "budget", CheckState.REJECTED, null);
      }

      await(cluster, "not in backoff", () -> delayed(core) == 0);
      assertThat(core.meters().find(UNTIL).gauge()).isNull();
      Timer delay = timer(core, "kueue4j.check.retry.delay", "check", "budget");
      assertThat(delay.count()).isEqualTo(1);
      assertThat(delay.totalTime(TimeUnit.SECONDS)).isEqualTo(600);
    }
  }

  /** Their silence keeps no quota, so it is no reason for an alert. */
  @Test
  void entriesThatNothingWaitsForAreNotCounted() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.check("trial");
      mode(cluster, "\"Observe\"");
      cluster.queue(
          "admissionChecksStrategy: {admissionChecks: [{name: budget}, {name: trial}]}",
          "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 1);
      await(cluster, "pending", () -> inState(core, "Pending") == 1);
      cluster.settle();
      assertThat(inState(core, "trial", "Pending")).isNotPositive();

      mode(cluster, "null");
      await(cluster, "both wait", () -> inState(core, "trial", "Pending") == 1);
      cluster.answer("job", "trial", CheckState.READY, null);
      cluster.answer("job", "budget", CheckState.READY, null);
      await(cluster, "Ready", () -> inState(core, "Ready") == 1);
      cluster.answer("job", "budget", CheckState.PENDING, null);
      await(cluster, "admitted, and Ready no more", () -> inState(core, "Ready") == 0);
      cluster.settle();
      assertThat(inPhase(core, "ADMITTED")).isEqualTo(1);
      assertThat(inState(core, "Pending")).isZero();
    }
  }

  private static void mode(TestCluster cluster, String mode) {
    cluster.api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("trial"),
        TestCluster.merge(
            "{\"metadata\": {\"annotations\": {\"kueue4j.io/mode\": " + mode + "}}}"));
  }

  private static double delayed(KueueCore core) {
    Gauge gauge =
        core.meters().find("kueue4j.check.backoff.workloads").tag("check", "budget").gauge();
    return gauge == null ? -1 : gauge.value();
  }

  @Test
  void aRequeueThatACoreWasNotThereForIsLate() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.RETRY, 600);
      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      cluster.settle();
      cluster.crashCore();
      cluster.advance(Duration.ofSeconds(645));

      KueueCore next = cluster.startCore();

      cluster.awaitWorkload("job", TestCluster::reserved);
      await(
          cluster,
          "late",
          () -> {
            Timer lateness = next.meters().find("kueue4j.requeue.lateness").timer();
            return lateness != null
                && lateness.count() == 1
                && lateness.totalTime(TimeUnit.SECONDS) == 45;
          });
    }
  }

  @Test
  void lateAnswersAreCountedByWhatTheyChange() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.RETRY, 600);
      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      cluster.settle();

      cluster.answer("job", "budget", CheckState.RETRY, 900);
      await(cluster, "counted", () -> late(core, "Retry", "counted") == 1);

      cluster.settle();
      ObjectKey key = ObjectKey.of(cluster.workload("job"));
      cluster.api.patch(
          KueueTypes.WORKLOAD,
          key,
          new MergePatch(
              com.google.gson.JsonParser.parseString("{\"spec\": {\"active\": false}}")
                  .getAsJsonObject()));
      await(cluster, "deactivated", () -> inPhase(core, "DEACTIVATED") == 1);
      cluster.settle();
      cluster.answer("job", "budget", CheckState.READY, null);
      await(cluster, "ignored", () -> late(core, "Ready", "ignored") == 1);
      assertThat(late(core, "Retry", "counted")).isEqualTo(1);
    }
  }

  @Test
  void timeoutsAndRejectionsAreCountedByCheck() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.api.patch(
          KueueTypes.ADMISSION_CHECK,
          ObjectKey.cluster("budget"),
          new MergePatch(
              com.google.gson.JsonParser.parseString("{\"spec\": {\"pendingTimeoutSeconds\": 60}}")
                  .getAsJsonObject()));
      cluster.queue(CHECKS, "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.settle();
      assertThat(core.meters().get("kueue4j.check.timeouts").tag("check", "budget").counter())
          .extracting(Counter::count)
          .isEqualTo(0.0);

      cluster.advance(Duration.ofSeconds(60));
      await(
          cluster,
          "timed out",
          () -> counter(core, "kueue4j.check.timeouts", "check", "budget") == 1);

      cluster.passUntil("reserved again", now -> TestCluster.reserved(now.workload("job")));
      cluster.settle();
      cluster.answer("job", "budget", CheckState.REJECTED, null);
      cluster.awaitWorkload(
          "job",
          workload ->
              workload.status().conditions().stream()
                  .anyMatch(
                      condition ->
                          condition.type().equals(WorkloadConditions.REQUEUED)
                              && condition.reason().equals("DeactivatedDueToAdmissionCheck")));
      await(
          cluster,
          "rejected",
          () -> counter(core, "kueue4j.check.rejections", "check", "budget") == 1);
    }
  }

  @Test
  void anEntryWithoutAReservationIsNotCounted() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("delayed", 1);
      cluster.awaitWorkload("delayed", TestCluster::reserved);
      cluster.answer("delayed", "budget", CheckState.RETRY, 600);
      cluster.awaitWorkload("delayed", workload -> !TestCluster.reserved(workload));
      cluster.job("next", 1);
      cluster.awaitWorkload("next", TestCluster::reserved);
      cluster.settle();

      cluster.advance(Duration.ofMinutes(10));

      await(cluster, "queued", () -> inPhase(core, "QUEUED") == 1);
      cluster.awaitWorkload(
          "delayed",
          workload -> workload.status().admissionChecks().getFirst().is(CheckState.PENDING));
      cluster.settle();
      assertThat(inState(core, "Pending")).isEqualTo(1);
    }
  }

  @Test
  void aCoreWithoutWorkloadsShowsEachPhase() {
    try (TestCluster cluster = new TestCluster()) {
      KueueCore core = cluster.startCore();

      await(
          cluster,
          "shown",
          () -> core.meters().find("kueue4j.workloads").gauges().size() == Phase.values().length);
      assertThat(core.meters().find("kueue4j.workloads").gauges())
          .allSatisfy(gauge -> assertThat(gauge.value()).isZero());
    }
  }

  @Test
  void whatIsGoneIsNotCounted() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      KueueCore core = cluster.startCore();
      cluster.job("job", 2);
      cluster.workload("job");
      await(cluster, "queued", () -> inPhase(core, "QUEUED") == 1);

      cluster.delete("job");

      await(cluster, "gone", () -> inPhase(core, "QUEUED") == 0);
    }
  }

  /** A condition on meters that the core moves in its own time. */
  private interface Holds {
    boolean now();
  }

  private static void await(TestCluster cluster, String what, Holds condition) {
    cluster.awaitThat(what, world -> condition.now());
  }

  private static double inPhase(KueueCore core, String phase) {
    Gauge gauge =
        core.meters()
            .find("kueue4j.workloads")
            .tag("cluster_queue", "cq")
            .tag("phase", phase)
            .gauge();
    return gauge == null ? -1 : gauge.value();
  }

  private static double inState(KueueCore core, String state) {
    return inState(core, "budget", state);
  }

  private static double inState(KueueCore core, String check, String state) {
    Gauge gauge =
        core.meters().find("kueue4j.check.entries").tag("check", check).tag("state", state).gauge();
    return gauge == null ? -1 : gauge.value();
  }

  private static double late(KueueCore core, String state, String effect) {
    Counter counter =
        core.meters()
            .find("kueue4j.check.late.writes")
            .tag("check", "budget")
            .tag("state", state)
            .tag("effect", effect)
            .counter();
    return counter == null ? 0 : counter.count();
  }

  private static double counter(KueueCore core, String name, String tag, String value) {
    Counter counter = core.meters().find(name).tag(tag, value).counter();
    return counter == null ? 0 : counter.count();
  }

  private static Timer timer(KueueCore core, String name, String tag, String value) {
    return core.meters().get(name).tag(tag, value).timer();
  }
}
