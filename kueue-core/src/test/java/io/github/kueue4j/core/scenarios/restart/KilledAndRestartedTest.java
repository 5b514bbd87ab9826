// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A core that is killed at any moment is replaced by one that knows what the objects say. */
@Tag("quick")
@Simulated
class KilledAndRestartedTest {
  private static final String CHECKS =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  @Test
  void aDelayOutlivesTheCoreThatNotedIt() {
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
      cluster.advance(Duration.ofMinutes(5));
      cluster.startCore();
      cluster.pass(Duration.ofSeconds(299));
      assertThat(TestCluster.reserved(cluster.workload("job"))).isFalse();
      cluster.advance(Duration.ofSeconds(1));

      Workload again = cluster.awaitWorkload("job", TestCluster::reserved);
      assertThat(entry(again).retryCount()).isEqualTo(1);
    }
  }

  /**
   * KEP-993: the assignment is verified before the admission, also by a core that knows nothing.
   */
  @Test
  void whatWasReservedBeyondAQuotaThatShrankMeanwhileIsNotAdmitted() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.settle();

      cluster.crashCore();
      cluster.queue(CHECKS, "default=0");
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.startCore();

      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      assertThat(TestCluster.admitted(cluster.workload("job"))).isFalse();
      cluster.awaitSuspended("job", true);
    }
  }

  @Test
  void anEvictionThatWasHalfDoneIsFinished() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.settle();

      cluster.crashCore();
      cluster.answer("job", "budget", CheckState.RETRY, 5);
      cluster.startCore();
      cluster.awaitSuspended("job", true);
      cluster.crashCore();
      cluster.podsGone("job");
      cluster.startCore();

      cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      cluster.settle();
      cluster.advance(Duration.ofSeconds(10));
      cluster.awaitWorkload("job", TestCluster::reserved);
      cluster.answer("job", "budget", CheckState.READY, null);
      cluster.awaitSuspended("job", false);
    }
  }

  /** The core is killed again and again while Jobs go through a queue that has room for two. */
  @Test
  void killedInTheMiddleOfManyJobsItNeverExceedsTheQuotaAndFinishesThemAll() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      List<String> waiting = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        cluster.job("job-" + i, 1);
        waiting.add("job-" + i);
      }
      cluster.startCore();
      int rounds = 0;
      while (!waiting.isEmpty()) {
        cluster.awaitThat(
            "some Job runs", world -> waiting.stream().anyMatch(job -> runs(world, job)));
        assertThat(cluster.workloads().stream().filter(KilledAndRestartedTest::holdsQuota))
            .hasSizeLessThanOrEqualTo(2);
        String running =
            waiting.stream().filter(job -> runs(cluster, job)).findFirst().orElseThrow();
        cluster.jobSucceeds(running);
        waiting.remove(running);
        if (rounds++ % 4 == 1) {
          cluster.crashCore();
          cluster.startCore();
        }
      }
      cluster.awaitThat(
          "all Workloads are finished",
          world ->
              world.workloads().size() == 12
                  && world.workloads().stream()
                      .allMatch(w -> TestCluster.isTrue(w, WorkloadConditions.FINISHED)));
      cluster.advance(Duration.ofSeconds(5));
      cluster.awaitThat(
          "nothing is in use",
          world ->
              Integer.valueOf(0).equals(world.clusterQueue().status().reservingWorkloads())
                  && Integer.valueOf(0).equals(world.clusterQueue().status().pendingWorkloads()));
    }
  }

  private static boolean runs(TestCluster cluster, String job) {
    return Boolean.FALSE.equals(Objects.requireNonNull(cluster.job(job).getSpec()).getSuspend());
  }

  private static boolean holdsQuota(Workload workload) {
    return TestCluster.reserved(workload)
        && !TestCluster.isTrue(workload, WorkloadConditions.FINISHED);
  }

  private static AdmissionCheckState entry(Workload workload) {
    return workload.status().admissionCheck("budget").orElseThrow();
  }
}
