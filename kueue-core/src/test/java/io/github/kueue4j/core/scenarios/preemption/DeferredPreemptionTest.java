// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.preemption;

import static io.github.kueue4j.core.testing.TestCluster.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** KEP-993, {@code preemptionPolicy: AfterCheckPassedOrOnDemand}. */
@Simulated
class DeferredPreemptionTest {
  private static final String NODES =
      ", admissionChecksStrategy: {admissionChecks: [{name: nodes}]}";
  private static final String NODES_AND_BUDGET =
      ", admissionChecksStrategy: {admissionChecks: [{name: nodes}, {name: budget}]}";

  @Test
  void noVictimIsPreemptedBeforeTheCheckHasPassed() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "low", 2);
      Contest.job(cluster, "urgent", "high", 2);

      cluster.awaitWorkload("urgent", TestCluster::reserved);
      cluster.pass(Duration.ofMinutes(1));
      assertThat(evicted(cluster, "victim")).isFalse();
      assertThat(TestCluster.reserved(cluster.workload("urgent"))).isTrue();

      cluster.answer("urgent", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("victim", true);
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("urgent"))).isFalse();
      assertThat(condition(cluster.workload("victim"), WorkloadConditions.PREEMPTED).message())
          .contains(Contest.uid(cluster.workload("urgent")));

      cluster.podsGone("victim");
      cluster.awaitSuspended("urgent", false);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("victim"))).isFalse();
    }
  }

  /** What the policy is for: no victim is evicted for a Workload whose check doesn't agree. */
  @Test
  void aRetryBeforeThePreemptionLeavesTheVictimAlone() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "low", 2);
      Contest.job(cluster, "urgent", "high", 2);
      cluster.awaitWorkload("urgent", TestCluster::reserved);

      cluster.answer("urgent", "nodes", CheckState.RETRY, 60);
      cluster.awaitWorkload("urgent", workload -> !TestCluster.reserved(workload));
      cluster.pass(Duration.ofSeconds(61));
      cluster.awaitWorkload("urgent", TestCluster::reserved);
      assertThat(evicted(cluster, "victim")).isFalse();

      cluster.answer("urgent", "nodes", CheckState.REJECTED, null);
      cluster.awaitWorkload("urgent", workload -> !workload.spec().active());
      cluster.settle();
      assertThat(evicted(cluster, "victim")).isFalse();
      assertThat(TestCluster.admitted(cluster.workload("victim"))).isTrue();
    }
  }

  @Test
  void aCheckCanAskForThePreemption() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "low", 2);
      Contest.job(cluster, "urgent", "high", 2);
      cluster.awaitWorkload("urgent", TestCluster::reserved);
      cluster.requestPreemption("urgent", "nodes");

      cluster.awaitSuspended("victim", true);
      cluster.podsGone("victim");
      cluster.awaitWorkload("victim", workload -> !TestCluster.reserved(workload));
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("urgent"))).isFalse();

      cluster.answer("urgent", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("urgent", false);
    }
  }

  /** Nothing waits for its answer, so the victim is preempted at once. */
  @Test
  void aCheckThatOnlyObservesDefersNothing() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "low", 2);
      cluster.api.patch(
          KueueTypes.ADMISSION_CHECK,
          ObjectKey.cluster("nodes"),
          TestCluster.merge(
              "{\"metadata\": {\"annotations\": {\"kueue4j.io/mode\": \"Observe\"}}}"));
      cluster.settle();

      Contest.job(cluster, "urgent", "high", 2);

      cluster.awaitSuspended("victim", true);
      cluster.podsGone("victim");
      cluster.awaitSuspended("urgent", false);
    }
  }

  /** The other check neither waits for the preemption nor keeps it waiting. */
  @Test
  void aCheckWithTheOtherPolicyHasNoSay() {
    try (TestCluster cluster = deferring(NODES_AND_BUDGET)) {
      cluster.startCore();
      Contest.job(cluster, "victim", "low", 2);
      cluster.answer("victim", "budget", CheckState.READY, null);
      cluster.answer("victim", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("victim", false);
      cluster.podsRun("victim");
      Contest.job(cluster, "urgent", "high", 2);
      cluster.awaitWorkload("urgent", TestCluster::reserved);
      cluster.requestPreemption("urgent", "budget");
      cluster.answer("urgent", "budget", CheckState.READY, null);
      cluster.settle();
      assertThat(evicted(cluster, "victim")).isFalse();

      cluster.answer("urgent", "budget", CheckState.PENDING, null);
      cluster.answer("urgent", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("victim", true);
    }
  }

  /** A check that isn't asked yet defers, too. */
  @Test
  void noVictimIsPreemptedBeforeTheCheckThatIsAskedLastHasPassed() {
    try (TestCluster cluster = deferring(NODES_AND_BUDGET)) {
      cluster.startCore();
      Contest.job(cluster, "victim", "low", 2);
      cluster.answer("victim", "budget", CheckState.READY, null);
      cluster.answer("victim", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("victim", false);
      cluster.podsRun("victim");
      cluster.api.patch(
          KueueTypes.ADMISSION_CHECK,
          ObjectKey.cluster("nodes"),
          TestCluster.merge(
              "{\"metadata\": {\"annotations\": {\"kueue4j.io/after\": \"budget\"}}}"));
      cluster.settle();
      Contest.job(cluster, "urgent", "high", 2);
      cluster.awaitWorkload("urgent", TestCluster::reserved);
      assertThat(cluster.workload("urgent").status().admissionCheck("nodes")).isEmpty();
      cluster.answer("urgent", "budget", CheckState.READY, null);
      cluster.awaitWorkload(
          "urgent", workload -> workload.status().admissionCheck("nodes").isPresent());
      cluster.settle();
      assertThat(evicted(cluster, "victim")).isFalse();

      cluster.answer("urgent", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("victim", true);
    }
  }

  /** Neither the claim nor its victim is counted twice: what is left is for the others. */
  @Test
  void othersGetWhatIsLeftBesidesAndNoMore() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "low", 2);
      Contest.job(cluster, "urgent", "high", 2);
      cluster.awaitWorkload("urgent", TestCluster::reserved);

      // Three in all: one is free now, and will be.
      Contest.job(cluster, "small", "low", 1);
      cluster.awaitWorkload("small", TestCluster::reserved);
      Contest.job(cluster, "another", "low", 1);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("another"))).isFalse();
    }
  }

  /** A Workload that may preempt at once doesn't wait for another Workload's check. */
  @Test
  void aWorkloadOfHigherPriorityPreemptsDespiteADeferredPreemption() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "low", 3);
      Contest.job(cluster, "claimant", "mid", 2);
      cluster.awaitWorkload("claimant", TestCluster::reserved);

      Contest.job(cluster, "urgent", "high", 3);
      cluster.awaitWorkload("urgent", TestCluster::reserved);
      cluster.answer("urgent", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("victim", true);
      cluster.podsGone("victim");
      cluster.awaitSuspended("urgent", false);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("claimant"))).isFalse();
    }
  }

  @Test
  void aVictimThatFinishesByItselfIsAsGood() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "low", 2);
      Contest.job(cluster, "urgent", "high", 2);
      cluster.awaitWorkload("urgent", TestCluster::reserved);

      cluster.jobSucceeds("victim");
      cluster.settle();
      cluster.answer("urgent", "nodes", CheckState.READY, null);

      cluster.awaitSuspended("urgent", false);
      assertThat(evicted(cluster, "victim")).isFalse();
    }
  }

  @Test
  void whereATargetBecomesUntouchableAnotherIsFound() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "older", "low", 1);
      admitted(cluster, "younger", "rising", 2);
      Contest.job(cluster, "urgent", "mid", 1);
      cluster.awaitWorkload("urgent", TestCluster::reserved);

      // The younger one, with less work to lose, would have been the one.
      rise(cluster);
      cluster.settle();
      cluster.answer("urgent", "nodes", CheckState.READY, null);
      cluster.awaitSuspended("older", true);
      cluster.podsGone("older");
      cluster.awaitSuspended("urgent", false);
      assertThat(evicted(cluster, "younger")).isFalse();
    }
  }

  @Test
  void withoutRemainingTargetsTheReservationIsWithdrawn() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "rising", 3);
      Contest.job(cluster, "urgent", "mid", 2);
      cluster.awaitWorkload("urgent", TestCluster::reserved);

      rise(cluster);

      Workload waiting =
          cluster.awaitWorkload("urgent", workload -> !TestCluster.reserved(workload));
      assertThat(condition(waiting, WorkloadConditions.QUOTA_RESERVED).reason())
          .isEqualTo("WaitingForQuota");
      assertThat(condition(waiting, WorkloadConditions.QUOTA_RESERVED).message())
          .startsWith("No workload is left that could be preempted for this reservation");
      assertThat(TestCluster.isTrue(waiting, WorkloadConditions.EVICTED)).isFalse();
      cluster.settle();
      assertThat(TestCluster.admitted(cluster.workload("victim"))).isTrue();

      cluster.jobSucceeds("victim");
      cluster.awaitWorkload("urgent", TestCluster::reserved);
    }
  }

  @Test
  void aCoreThatStartsKnowsTheVictims() {
    try (TestCluster cluster = deferring(NODES)) {
      cluster.startCore();
      admitted(cluster, "victim", "low", 2);
      Contest.job(cluster, "urgent", "high", 2);
      cluster.awaitWorkload("urgent", TestCluster::reserved);
      cluster.settle();

      cluster.crashCore();
      cluster.answer("urgent", "nodes", CheckState.READY, null);
      cluster.startCore();

      cluster.awaitSuspended("victim", true);
      cluster.crashCore();
      cluster.startCore();
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("urgent"))).isTrue();
      assertThat(TestCluster.admitted(cluster.workload("urgent"))).isFalse();
      cluster.podsGone("victim");
      cluster.awaitSuspended("urgent", false);
    }
  }

  private static TestCluster deferring(String checks) {
    TestCluster cluster = new TestCluster();
    Contest.classes(cluster);
    cluster.apply(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: rising}, value: 1}
        """);
    cluster.check("nodes");
    cluster.api.patch(
        KueueTypes.ADMISSION_CHECK,
        ObjectKey.cluster("nodes"),
        TestCluster.merge("{\"spec\": {\"preemptionPolicy\": \"AfterCheckPassedOrOnDemand\"}}"));
    cluster.check("budget");
    cluster.queue(Contest.LOWER + checks, "default=3");
    return cluster;
  }

  private static void admitted(TestCluster cluster, String name, String priority, int cpus) {
    Contest.job(cluster, name, priority, cpus);
    cluster.answer(name, "nodes", CheckState.READY, null);
    cluster.awaitSuspended(name, false);
    cluster.podsRun(name);
  }

  /** The Workloads of the class {@code rising} become more important than all others. */
  private static void rise(TestCluster cluster) {
    cluster.api.patch(
        KueueTypes.WORKLOAD_PRIORITY_CLASS,
        ObjectKey.cluster("rising"),
        TestCluster.merge("{\"value\": 1000}"));
  }

  private static boolean evicted(TestCluster cluster, String job) {
    return TestCluster.isTrue(cluster.workload(job), WorkloadConditions.EVICTED);
  }
}
