// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** KEP-420: fewer pods where all of them find no quota. */
@Simulated
class PartialAdmissionTest {
  @Test
  void asManyPodsAsFitAreAdmittedAndNoMoreQuotaIsTaken() {
    try (TestCluster cluster = cluster()) {
      cluster.startCore();
      Contest.running(cluster, "other", "low", 1);
      elastic(cluster, "elastic", "low", 5, 2);

      cluster.awaitSuspended("elastic", false);
      Workload workload = cluster.workload("elastic");
      assertThat(count(workload)).isEqualTo(3);
      assertThat(Objects.requireNonNull(cluster.job("elastic").getSpec()).getParallelism())
          .isEqualTo(3);
      assertThat(workload.spec().podSets().getFirst().count()).isEqualTo(5);
      // All four are in use now, and not one more.
      Contest.job(cluster, "late", "low", 1);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("late"))).isFalse();

      cluster.jobSucceeds("elastic");
      cluster.awaitSuspended("late", false);
    }
  }

  /** Preemption is tried before fewer pods: a Workload that may preempt for all of them does. */
  @Test
  void preemptingForAllPodsGoesBeforeFewerPods() {
    try (TestCluster cluster = cluster()) {
      cluster.startCore();
      Contest.running(cluster, "victim", "low", 2);
      elastic(cluster, "elastic", "high", 4, 1);

      cluster.awaitSuspended("victim", true);
      cluster.podsGone("victim");
      cluster.awaitSuspended("elastic", false);
      assertThat(count(cluster.workload("elastic"))).isEqualTo(4);
    }
  }

  @Test
  void fewerPodsPreemptWhereAllWouldBeTooMany() {
    try (TestCluster cluster = cluster()) {
      cluster.startCore();
      Contest.running(cluster, "equal", "high", 2);
      Contest.running(cluster, "victim", "low", 2);
      elastic(cluster, "elastic", "high", 3, 1);

      cluster.awaitSuspended("victim", true);
      assertThat(TestCluster.isTrue(cluster.workload("equal"), WorkloadConditions.EVICTED))
          .isFalse();
      cluster.podsGone("victim");
      cluster.awaitSuspended("elastic", false);
      assertThat(count(cluster.workload("elastic"))).isEqualTo(2);
    }
  }

  @Test
  void notEvenTheFewestFit() {
    try (TestCluster cluster = cluster()) {
      cluster.startCore();
      Contest.running(cluster, "other", "low", 3);
      elastic(cluster, "elastic", "low", 5, 2);

      cluster.passUntil(
          "it is said why",
          world ->
              Conditions.find(
                      world.workload("elastic").status().conditions(),
                      WorkloadConditions.QUOTA_RESERVED)
                  .filter(condition -> condition.reason().equals("WaitingForQuota"))
                  .isPresent());
      assertThat(TestCluster.reserved(cluster.workload("elastic"))).isFalse();
      cluster.jobSucceeds("other");
      cluster.awaitSuspended("elastic", false);
      assertThat(count(cluster.workload("elastic"))).isEqualTo(4);
    }
  }

  @Test
  void withTheGateOffAllOrNothing() {
    try (TestCluster cluster = cluster()) {
      cluster.startCore("featureGates: {PartialAdmission: false}");
      elastic(cluster, "elastic", "low", 5, 2);

      cluster.pass(Duration.ofSeconds(5));
      assertThat(TestCluster.reserved(cluster.workload("elastic"))).isFalse();
    }
  }

  private static TestCluster cluster() {
    TestCluster cluster = new TestCluster();
    Contest.classes(cluster);
    cluster.queue(Contest.LOWER, "default=4");
    return cluster;
  }

  private static int count(Workload workload) {
    return Objects.requireNonNull(
        Objects.requireNonNull(workload.status().admission())
            .podSetAssignments()
            .getFirst()
            .count());
  }

  private static void elastic(
      TestCluster cluster, String name, String priority, int parallelism, int fewest) {
    cluster.advance(Duration.ofSeconds(1));
    cluster.apply(
        TestJob.named(name)
            .queue("lq")
            .priority(priority)
            .annotation("kueue.x-k8s.io/job-min-parallelism", String.valueOf(fewest))
            .pods(parallelism)
            .cpus(1)
            .yaml());
    cluster.workload(name);
  }
}
