// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.podsready;

import static io.github.kueue4j.core.testing.TestCluster.condition;
import static io.github.kueue4j.core.testing.TestCluster.key;
import static io.github.kueue4j.core.testing.TestCluster.merge;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.SchedulingStatsEviction;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.ApiTime;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** KEP-1282 on an API server: pods that are ready in time, too late, or never. */
@Simulated
class PodsReadyTest {
  private static final String STRATEGY =
      "requeuingStrategy: {backoffBaseSeconds: 10, backoffMaxSeconds: 15, backoffLimitCount: 2}";
  private static final String WAITING =
      "waitForPodsReady: {timeout: 5m, recoveryTimeout: 1m, " + STRATEGY + "}\n";

  private static boolean is(Workload workload, String type, boolean value, String reason) {
    return Conditions.find(workload.status().conditions(), type)
        .filter(found -> found.isTrue() == value && found.reason().equals(reason))
        .isPresent();
  }

  /** Runs until the timeout, and stops as it is told. */
  private static Workload timesOut(TestCluster cluster, String job, Duration timeout) {
    cluster.awaitSuspended(job, false);
    cluster.pods(job, 1, 0);
    cluster.settle();
    // A reservation right after another one is dated a second later.
    cluster.advance(timeout.plusSeconds(1));
    cluster.awaitSuspended(job, true);
    cluster.pods(job, 0, 0);
    return cluster.awaitWorkload(job, workload -> !TestCluster.reserved(workload));
  }

  @Test
  void podsThatGetReadyAreReportedAndMeasured() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      KueueCore core = cluster.startCore(WAITING);
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);
      Workload waits = cluster.awaitWorkload("job", w -> is(w, "PodsReady", false, "WaitForStart"));
      assertThat(condition(waits, "PodsReady").message())
          .isEqualTo("Not all pods are ready or succeeded");

      cluster.settle();
      cluster.advance(Duration.ofSeconds(42));
      cluster.pods("job", 1, 1);

      cluster.awaitWorkload("job", w -> is(w, "PodsReady", true, "Started"));
      cluster.awaitThat(
          "measured",
          there -> {
            Timer timer = core.meters().find("kueue.admitted.until.ready.wait.time").timer();
            return timer != null && timer.totalTime(TimeUnit.SECONDS) == 42;
          });
      cluster.pass(Duration.ofHours(10));
      assertThat(TestCluster.admitted(cluster.workload("job"))).isTrue();

      cluster.pods("job", 1, 0);
      cluster.awaitWorkload("job", w -> is(w, "PodsReady", false, "WaitForRecovery"));
      cluster.settle();
      cluster.advance(Duration.ofSeconds(59));
      cluster.pods("job", 1, 1);
      cluster.awaitWorkload("job", w -> is(w, "PodsReady", true, "Recovered"));
    }
  }

  @Test
  void aReservationThatIsTakenAwayByHandTakesPodsReadyAlong() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(WAITING);
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);
      cluster.pods("job", 1, 1);
      cluster.awaitWorkload("job", w -> is(w, "PodsReady", true, "Started"));
      cluster.api.patch(
          KueueTypes.CLUSTER_QUEUE,
          ObjectKey.cluster("cq"),
          merge("{\"spec\": {\"stopPolicy\": \"Hold\"}}"));
      cluster.settle();

      cluster.api.patchStatus(
          KueueTypes.WORKLOAD,
          ObjectKey.of(cluster.workload("job")),
          merge(
              """
              {"status": {"admission": null, "conditions": [
                {"type": "PodsReady", "status": "True", "reason": "Started", "message": "",
                  "lastTransitionTime": "%s"}]}}
              """
                  .formatted(ApiTime.format(cluster.time.instant()))));

      cluster.awaitWorkload(
          "job", w -> Conditions.find(w.status().conditions(), "PodsReady").isEmpty());
      cluster.awaitSuspended("job", true);
    }
  }

  @Test
  void anImageThatNeverPullsIsTriedAgainEverLaterAndThenDeactivated() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(WAITING);
      cluster.job("stuck", 1);

      Workload first = timesOut(cluster, "stuck", Duration.ofMinutes(5));
      Instant evictedAt = condition(first, "Evicted").lastTransitionTime();
      assertThat(is(first, "Evicted", true, "PodsReadyTimeout")).isTrue();
      assertThat(is(first, "Requeued", false, "PodsReadyTimeout")).isTrue();
      var requeue = Objects.requireNonNull(first.status().requeueState());
      assertThat(requeue.count()).isEqualTo(1);
      assertThat(requeue.requeueAt()).isEqualTo(evictedAt.plusSeconds(10));
      cluster.advance(Duration.ofSeconds(10));

      Workload second = timesOut(cluster, "stuck", Duration.ofMinutes(5));
      requeue = Objects.requireNonNull(second.status().requeueState());
      assertThat(requeue.count()).isEqualTo(2);
      assertThat(requeue.requeueAt())
          .isEqualTo(condition(second, "Evicted").lastTransitionTime().plusSeconds(15));
      cluster.advance(Duration.ofSeconds(15));

      Workload last = timesOut(cluster, "stuck", Duration.ofMinutes(5));
      assertThat(last.spec().active()).isFalse();
      Condition evicted = condition(last, "Evicted");
      assertThat(evicted.reason()).isEqualTo("DeactivatedDueToRequeuingLimitExceeded");
      assertThat(evicted.message())
          .isEqualTo(
              "The workload is deactivated due to exceeding the maximum number of re-queuing"
                  + " retries");
      assertThat(last.status().requeueState()).isEqualTo(new RequeueState(2, null));
      assertThat(Objects.requireNonNull(last.status().schedulingStats()).evictions())
          .containsExactly(
              new SchedulingStatsEviction("PodsReadyTimeout", "WaitForStart", 2),
              new SchedulingStatsEviction("Deactivated", "RequeuingLimitExceeded", 1));
      cluster.awaitThat(
          "the event",
          there ->
              there
                  .api
                  .list(CoreTypes.EVENT, io.github.kueue4j.runtime.client.ListOptions.all())
                  .items()
                  .stream()
                  .anyMatch(
                      event ->
                          "EvictedDueToDeactivatedDueToRequeuingLimitExceeded"
                              .equals(event.getReason())));

      activate(cluster, "stuck", true);
      Workload again = timesOut(cluster, "stuck", Duration.ofMinutes(5));
      assertThat(Objects.requireNonNull(again.status().requeueState()).count())
          .as("it counts anew")
          .isEqualTo(1);
    }
  }

  @Test
  void aLimitByTimeEndsAllAttemptsTogether() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(
          "waitForPodsReady: {timeout: 3m,"
              + " requeuingStrategy: {backoffBaseSeconds: 10, backoffLimitTimeout: 8m}}\n");
      cluster.job("stuck", 1);
      timesOut(cluster, "stuck", Duration.ofMinutes(3));
      cluster.advance(Duration.ofSeconds(10));
      timesOut(cluster, "stuck", Duration.ofMinutes(3));
      cluster.advance(Duration.ofSeconds(21));

      Workload last = timesOut(cluster, "stuck", Duration.ofSeconds(90));

      assertThat(last.spec().active()).isFalse();
      Condition evicted = condition(last, "Evicted");
      assertThat(evicted.reason()).isEqualTo("DeactivatedDueToRequeuingLimitExceeded");
      assertThat(evicted.message()).contains("the maximum time without ready pods (480s)");
      activate(cluster, "stuck", true);
      Workload again = timesOut(cluster, "stuck", Duration.ofMinutes(3));
      assertThat(again.spec().active()).as("it has its whole time again").isTrue();
    }
  }

  @Test
  void aUsersOwnDeactivationKeepsTheCount() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(WAITING);
      cluster.job("stuck", 1);
      timesOut(cluster, "stuck", Duration.ofMinutes(5));

      activate(cluster, "stuck", false);
      cluster.awaitWorkload("stuck", w -> is(w, "Requeued", false, "Deactivated"));
      activate(cluster, "stuck", true);

      Workload again = timesOut(cluster, "stuck", Duration.ofMinutes(5));
      assertThat(Objects.requireNonNull(again.status().requeueState()).count()).isEqualTo(2);
    }
  }

  private static void activate(TestCluster cluster, String job, boolean active) {
    ObjectKey key = ObjectKey.of(cluster.workload(job));
    cluster.api.patch(KueueTypes.WORKLOAD, key, merge("{\"spec\": {\"active\": " + active + "}}"));
  }

  @Test
  void aRestartedCoreKeepsTheTimeout() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(WAITING);
      cluster.job("stuck", 1);
      cluster.awaitSuspended("stuck", false);
      cluster.pods("stuck", 1, 0);
      cluster.settle();
      cluster.advance(Duration.ofMinutes(4));
      cluster.crashCore();

      cluster.startCore(WAITING);
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("stuck"))).isTrue();
      cluster.advance(Duration.ofMinutes(1));

      cluster.awaitSuspended("stuck", true);
    }
  }

  @Test
  void aQueueHasLimitsOfItsOwn() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("waitForPodsReady: {timeout: 90s}", "default=1");
      cluster.startCore();
      cluster.job("stuck", 1);

      Workload evicted = timesOut(cluster, "stuck", Duration.ofSeconds(90));

      assertThat(is(evicted, "Evicted", true, "PodsReadyTimeout")).isTrue();
    }
  }

  @Test
  void withoutTheBlockNoPodsAreWaitedFor() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("stuck", 1);
      cluster.awaitSuspended("stuck", false);
      cluster.pods("stuck", 1, 0);
      cluster.pass(Duration.ofDays(2));

      Workload workload = cluster.workload("stuck");
      assertThat(TestCluster.admitted(workload)).isTrue();
      assertThat(Conditions.find(workload.status().conditions(), "PodsReady")).isEmpty();
    }
  }
}
