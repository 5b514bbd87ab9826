// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** The delay that counts, by what the configuration says and the check asks for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          featureGates: {ACRequeueAfter: false} | 600  | 1
          kueue4j: {maximumRetryDelay: 1m}      | 3600 | 60
          kueue4j: {minimumRetryDelay: 30s}     | 20   | 30
          kueue4j: {minimumRetryDelay: 30s}     | none | 30
          kueue4j: {maximumRetryDelay: 500ms}   | none | 1
          """)
  void theConfigurationBoundsTheDelay(String configuration, @Nullable Integer asked, int seconds) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue(CHECKS, "default=1");
      cluster.startCore(configuration + "\n");
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::reserved);

      Instant answered = cluster.time.instant();
      cluster.answer("first", "budget", CheckState.RETRY, asked);
      Workload released =
          cluster.awaitWorkload("first", workload -> !TestCluster.reserved(workload));

      assertThat(Objects.requireNonNull(released.status().requeueState()).requeueAt())
          .isEqualTo(answered.plusSeconds(seconds));
      cluster.settle();
      cluster.advance(Duration.ofSeconds(seconds));
      Workload again = cluster.awaitWorkload("first", TestCluster::reserved);
      assertThat(entry(again).retryCount()).isEqualTo(1);
    }
  }

  @Test
  void aClusterQueueTellsThatTheDelaysOfItsChecksAreSwitchedOff() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.api.patch(
          KueueTypes.ADMISSION_CHECK,
          ObjectKey.cluster("budget"),
          TestCluster.merge("{\"spec\": {\"retry\": {\"baseDelay\": \"1m\"}}}"));
      cluster.queue(CHECKS, "default=1");
      cluster.startCore("featureGates: {ACRequeueAfter: false}\n");

      cluster.passUntil(
          "the condition says so",
          world ->
              world.api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster("cq")).stream()
                  .flatMap(queue -> queue.status().conditions().stream())
                  .anyMatch(
                      active ->
                          active
                              .message()
                              .endsWith(
                                  ". AdmissionCheck budget: spec.retry has no effect: the feature"
                                      + " gate ACRequeueAfter is off")));
    }
  }

  @Test
  void aCheckWithLimitsCanNeitherDelayNorRepeatForLonger() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.api.patch(
          KueueTypes.ADMISSION_CHECK,
          ObjectKey.cluster("budget"),
          TestCluster.merge(
              "{\"spec\": {\"retryLimits\": {\"maxDelay\": \"1m\", \"maxRetries\": 1}}}"));
      cluster.queue(CHECKS, "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.answer("first", "budget", CheckState.RETRY, 3600);
      cluster.awaitWorkload("first", workload -> !TestCluster.reserved(workload));
      cluster.settle();
      cluster.advance(Duration.ofMinutes(1));
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.settle();

      cluster.answer("first", "budget", CheckState.RETRY, 3600);

      Workload deactivated =
          cluster.awaitWorkload(
              "first",
              workload ->
                  TestCluster.condition(workload, WorkloadConditions.REQUEUED)
                      .reason()
                      .equals("DeactivatedDueToAdmissionCheckRetryLimitExceeded"));
      assertThat(deactivated.spec().active()).isFalse();
      assertThat(TestCluster.reserved(deactivated)).isFalse();
      assertThat(TestCluster.condition(deactivated, WorkloadConditions.REQUEUED).message())
          .contains("AdmissionCheck budget (retryLimits.maxRetries 1)", "Retry by the test");
    }
  }

  private static AdmissionCheckState entry(Workload workload) {
    return workload.status().admissionCheck("budget").orElseThrow();
  }
}
