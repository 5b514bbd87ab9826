// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An admitted Workload that is evicted keeps its quota until its Job has really stopped. */
@Tag("quick")
@Simulated
class EvictionStopsTheJobTest {
  @Test
  void quotaIsReleasedOnlyWhenThePodsAreGoneAndTheTemplateIsRestored() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      V1Job original = cluster.job("first");
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.answer("first", "budget", CheckState.READY, null);
      cluster.awaitSuspended("first", false);
      cluster.podsRun("first");
      cluster.job("second", 1);
      cluster.workload("second");

      cluster.answer("first", "budget", CheckState.RETRY, 60);

      cluster.awaitSuspended("first", true);
      cluster.settle();
      Workload evicting = cluster.workload("first");
      assertThat(TestCluster.isTrue(evicting, WorkloadConditions.EVICTED)).isTrue();
      assertThat(TestCluster.reserved(evicting)).isTrue();
      assertThat(TestCluster.reserved(cluster.workload("second"))).isFalse();

      cluster.podsGone("first");
      Workload released =
          cluster.awaitWorkload("first", workload -> !TestCluster.reserved(workload));
      assertThat(TestCluster.admitted(released)).isFalse();
      cluster.awaitWorkload("second", TestCluster::reserved);
      V1Job restored = cluster.job("first");
      assertThat(Objects.requireNonNull(restored.getSpec()).getTemplate())
          .isEqualTo(Objects.requireNonNull(original.getSpec()).getTemplate());
      assertThat(Objects.requireNonNull(restored.getStatus()).getStartTime()).isNull();
      assertThat(restored.getMetadata().getAnnotations()).isNullOrEmpty();
    }
  }

  /** As while no Job controller answers. */
  @Test
  @ExpectedLog(logger = "UnheededStops", message = "A Job runs on although it was suspended")
  void aJobWhosePodsNothingEndsIsToldAndKeepsItsQuota() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitSuspended("first", false);
      cluster.podsRun("first");
      stopPolicy(cluster, StopPolicy.HOLD_AND_DRAIN);
      cluster.awaitSuspended("first", true);
      cluster.pass(Duration.ofMinutes(4));
      assertThat(unheeded(cluster.workload("first"))).isFalse();

      cluster.pass(Duration.ofMinutes(1));
      cluster.passUntil("it is told", world -> unheeded(world.workload("first")));
      assertThat(TestCluster.reserved(cluster.workload("first"))).isTrue();

      cluster.podsGone("first");
      cluster.awaitWorkload(
          "first", workload -> !TestCluster.reserved(workload) && !unheeded(workload));
    }
  }

  private static boolean unheeded(Workload workload) {
    return TestCluster.isTrue(workload, WorkloadConditions.SUSPENSION_UNHEEDED);
  }

  @Test
  void drainingAQueueStopsItsJobsAndRestartingItStartsThemAgain() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitSuspended("first", false);

      stopPolicy(cluster, StopPolicy.HOLD_AND_DRAIN);
      cluster.awaitSuspended("first", true);
      Workload held = cluster.awaitWorkload("first", workload -> !TestCluster.reserved(workload));
      assertThat(TestCluster.condition(held, WorkloadConditions.REQUEUED).reason())
          .isEqualTo("ClusterQueueStopped");

      stopPolicy(cluster, StopPolicy.NONE);
      cluster.awaitWorkload("first", TestCluster::admitted);
      cluster.awaitSuspended("first", false);
    }
  }

  @Test
  void aJobThatWasCreatedRunningIsStoppedUntilItIsAdmitted() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("blocker", 1);
      cluster.awaitWorkload("blocker", TestCluster::admitted);

      cluster.job("hasty", 1, "", false);

      cluster.awaitSuspended("hasty", true);
      assertThat(TestCluster.reserved(cluster.workload("hasty"))).isFalse();
      cluster.jobSucceeds("blocker");
      cluster.awaitSuspended("hasty", false);
    }
  }

  private static void stopPolicy(TestCluster cluster, StopPolicy policy) {
    cluster.api.patch(
        KueueTypes.CLUSTER_QUEUE,
        ObjectKey.cluster("cq"),
        TestCluster.merge("{'spec': {'stopPolicy': '" + policy + "'}}"));
  }
}
