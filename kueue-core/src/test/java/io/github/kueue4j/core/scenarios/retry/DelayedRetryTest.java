// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * KEP-3258: a check asks for a delay. The quota is free for the next Workload at once, and the
 * first comes back at the deadline and not before.
 */
@Tag("quick")
@Simulated
class DelayedRetryTest {
  private static final String CHECKS =
      "admissionChecksStrategy: {admissionChecks: [{name: budget}]}";

  @Test
  void theNextWorkloadGetsTheQuotaAtOnceAndTheDelayIsKept() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.job("second", 1);
      cluster.workload("second");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("second"))).isFalse();

      Instant answered = cluster.time.instant();
      cluster.answer("first", "budget", CheckState.RETRY, 600);

      // Time stands still, and yet the quota moves on.
      cluster.awaitWorkload("second", TestCluster::reserved);
      Workload first = cluster.workload("first");
      assertThat(TestCluster.reserved(first)).isFalse();
      assertThat(TestCluster.condition(first, WorkloadConditions.EVICTED).reason())
          .isEqualTo("AdmissionCheck");
      assertThat(Objects.requireNonNull(first.status().requeueState()).requeueAt())
          .isEqualTo(answered.plusSeconds(600));

      cluster.answer("second", "budget", CheckState.READY, null);
      cluster.awaitWorkload("second", TestCluster::admitted);
      cluster.jobSucceeds("second");
      cluster.awaitWorkload(
          "second", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      cluster.pass(Duration.ofSeconds(599));
      assertThat(TestCluster.reserved(cluster.workload("first"))).isFalse();

      cluster.advance(Duration.ofSeconds(1));
      Workload again = cluster.awaitWorkload("first", TestCluster::reserved);
      assertThat(entry(again).state()).isEqualTo(CheckState.PENDING);
      assertThat(entry(again).retryCount()).isEqualTo(1);

      cluster.answer("first", "budget", CheckState.READY, null);
      cluster.awaitWorkload("first", TestCluster::admitted);
      cluster.awaitSuspended("first", false);
    }
  }

  @Test
  void withTheGateOffARetryIsTriedAgainAtOnce() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      cluster.startCore("featureGates: {ACRequeueAfter: false}\n");
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::reserved);

      cluster.answer("first", "budget", CheckState.RETRY, 600);

      Workload again =
          cluster.awaitWorkload(
              "first",
              workload ->
                  TestCluster.reserved(workload)
                      && Integer.valueOf(1).equals(entry(workload).retryCount()));
      assertThat(entry(again).state()).isEqualTo(CheckState.PENDING);
    }
  }

  @Test
  void aDelayAboveTheConfiguredBoundIsCut() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      cluster.startCore("kueue4j: {maximumRetryDelay: 1m}\n");
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::reserved);

      cluster.answer("first", "budget", CheckState.RETRY, 3600);
      cluster.awaitWorkload("first", workload -> !TestCluster.reserved(workload));
      cluster.settle();
      cluster.advance(Duration.ofMinutes(1));

      cluster.awaitWorkload("first", TestCluster::reserved);
    }
  }

  private static AdmissionCheckState entry(Workload workload) {
    return workload.status().admissionCheck("budget").orElseThrow();
  }
}
