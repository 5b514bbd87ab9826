// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.preemption;

import static io.github.kueue4j.core.testing.TestCluster.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Workloads of one ClusterQueue preempt each other. */
@Simulated
class WithinClusterQueueTest {
  @Test
  void aHigherPriorityStopsARunningJobAndGetsItsQuotaOnceItHasStopped() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      cluster.queue(Contest.LOWER, "default=2");
      KueueCore core = cluster.startCore();
      Contest.running(cluster, "victim", "low", 2);

      Contest.job(cluster, "urgent", "high", 1);

      Workload evicting =
          cluster.awaitWorkload(
              "victim", workload -> TestCluster.isTrue(workload, WorkloadConditions.EVICTED));
      cluster.awaitSuspended("victim", true);
      String urgent = Contest.uid(cluster.workload("urgent"));
      String words =
          "Preempted to accommodate a workload (UID: %s, JobUID: %s) due to prioritization in the ClusterQueue; preemptor path: /cq; preemptee path: /cq"
              .formatted(urgent, cluster.job("urgent").getMetadata().getUid());
      assertThat(condition(evicting, WorkloadConditions.EVICTED).reason()).isEqualTo("Preempted");
      assertThat(condition(evicting, WorkloadConditions.EVICTED).message()).isEqualTo(words);
      assertThat(condition(evicting, WorkloadConditions.PREEMPTED).reason())
          .isEqualTo("InClusterQueue");
      assertThat(condition(evicting, WorkloadConditions.PREEMPTED).message()).isEqualTo(words);
      cluster.pass(Duration.ofSeconds(2));
      Workload waiting = cluster.awaitWorkload("urgent", WithinClusterQueueTest::isToldWhy);
      assertThat(TestCluster.reserved(waiting)).isFalse();
      assertThat(TestCluster.reserved(cluster.workload("victim"))).isTrue();
      assertThat(condition(waiting, WorkloadConditions.QUOTA_RESERVED).message())
          .isEqualTo(
              "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, 1 more needed. Pending the preemption of 1 workload(s)");

      cluster.podsGone("victim");

      cluster.awaitSuspended("urgent", false);
      Workload requeued =
          cluster.awaitWorkload("victim", workload -> !TestCluster.reserved(workload));
      assertThat(condition(requeued, WorkloadConditions.REQUEUED).isTrue()).isTrue();
      assertThat(condition(requeued, WorkloadConditions.REQUEUED).reason()).isEqualTo("Preempted");
      assertThat(
              core.meters()
                  .get("kueue.preempted.workloads")
                  .tag("preempting_cluster_queue", "cq")
                  .tag("reason", "InClusterQueue")
                  .counter()
                  .count())
          .isEqualTo(1);

      cluster.jobSucceeds("urgent");
      Workload again = cluster.awaitWorkload("victim", TestCluster::admitted);
      assertThat(TestCluster.isTrue(again, WorkloadConditions.EVICTED)).isFalse();
      assertThat(TestCluster.isTrue(again, WorkloadConditions.PREEMPTED)).isFalse();
      assertThat(condition(evicting, WorkloadConditions.PREEMPTED).observedGeneration()).isNull();
      assertThat(condition(again, WorkloadConditions.PREEMPTED).observedGeneration())
          .isEqualTo(again.metadata().getGeneration());
      cluster.awaitSuspended("victim", false);
    }
  }

  /**
   * KEP-993: a Workload that only holds a reservation is a candidate too, and is released at once.
   */
  @Test
  void aReservedWorkloadWhoseChecksStillRunGivesWayAtOnce() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      cluster.check("budget");
      cluster.queue(
          Contest.LOWER + ", admissionChecksStrategy: {admissionChecks: [{name: budget}]}",
          "default=1");
      cluster.startCore();
      Contest.job(cluster, "victim", "low", 1);
      cluster.awaitWorkload("victim", TestCluster::reserved);

      Contest.job(cluster, "urgent", "high", 1);

      cluster.awaitWorkload("urgent", TestCluster::reserved);
      Workload victim = cluster.workload("victim");
      assertThat(TestCluster.reserved(victim)).isFalse();
      assertThat(condition(victim, WorkloadConditions.PREEMPTED).isTrue()).isTrue();
      assertThat(condition(victim, WorkloadConditions.REQUEUED).isTrue()).isTrue();

      cluster.answer("urgent", "budget", CheckState.READY, null);
      cluster.awaitSuspended("urgent", false);
      cluster.jobSucceeds("urgent");
      cluster.passUntil(
          "the victim's pause is over", world -> TestCluster.reserved(world.workload("victim")));
      cluster.answer("victim", "budget", CheckState.READY, null);
      cluster.awaitSuspended("victim", false);
    }
  }

  @Test
  void withoutAPolicyNoWorkloadIsPreempted() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      cluster.queue("", "default=1");
      cluster.startCore();
      Contest.running(cluster, "low", "low", 1);
      Contest.job(cluster, "urgent", "high", 1);

      cluster.pass(Duration.ofSeconds(3));

      Workload waiting = cluster.workload("urgent");
      assertThat(condition(waiting, WorkloadConditions.QUOTA_RESERVED).reason())
          .isEqualTo("WaitingForQuota");
      assertThat(TestCluster.isTrue(cluster.workload("low"), WorkloadConditions.EVICTED)).isFalse();

      // The policy counts from when it is set.
      cluster.queue(Contest.LOWER, "default=1");
      cluster.awaitSuspended("low", true);
      cluster.podsGone("low");
      cluster.awaitSuspended("urgent", false);
    }
  }

  @Test
  void equalsAreSparedUnlessTheyAreNewerAndThePolicySaysSo() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      cluster.queue(Contest.NEWER, "default=2");
      cluster.startCore();
      Contest.running(cluster, "old", "mid", 1);
      Contest.running(cluster, "blocker", "high", 1);
      Contest.job(cluster, "waiting", "mid", 2);
      cluster.settle();
      cluster.jobSucceeds("blocker");
      Contest.running(cluster, "newer", "mid", 1);
      cluster.settle();

      cluster.jobSucceeds("old");

      cluster.awaitSuspended("newer", true);
      cluster.podsGone("newer");
      cluster.awaitSuspended("waiting", false);
      assertThat(
              condition(
                      cluster.awaitWorkload("newer", workload -> !TestCluster.reserved(workload)),
                      WorkloadConditions.PREEMPTED)
                  .reason())
          .isEqualTo("InClusterQueue");
    }
  }

  /** Quota that one victim releases first is kept for the preemptor, in either kind of queue. */
  @Test
  void noWorkloadPassesAPreemptorWhoseVictimsStillHoldQuota() {
    for (String strategy : new String[] {"StrictFIFO", "BestEffortFIFO"}) {
      try (TestCluster cluster = new TestCluster()) {
        Contest.classes(cluster);
        cluster.queue(Contest.LOWER + ", queueingStrategy: " + strategy, "default=2");
        cluster.startCore();
        Contest.running(cluster, "a", "low", 1);
        Contest.running(cluster, "b", "low", 1);
        Contest.job(cluster, "urgent", "high", 2);
        cluster.awaitSuspended("a", true);
        cluster.awaitSuspended("b", true);
        Contest.job(cluster, "small", "mid", 1);
        cluster.settle();

        cluster.podsGone("a");
        cluster.awaitWorkload("a", workload -> !TestCluster.reserved(workload));
        cluster.settle();
        assertThat(TestCluster.reserved(cluster.workload("small"))).isFalse();
        assertThat(TestCluster.reserved(cluster.workload("urgent"))).isFalse();

        cluster.podsGone("b");
        cluster.awaitSuspended("urgent", false);
        cluster.settle();
        assertThat(TestCluster.reserved(cluster.workload("small"))).isFalse();

        cluster.jobSucceeds("urgent");
        cluster.awaitSuspended("small", false);
        cluster.awaitSuspended("a", false);
      }
    }
  }

  @Test
  void onlyAsManyAreEvictedAsItTakesTheYoungestFirst() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      cluster.queue(Contest.LOWER, "default=4");
      cluster.startCore();
      Contest.running(cluster, "older", "low", 1);
      Contest.running(cluster, "younger", "low", 1);
      Contest.running(cluster, "better", "mid", 2);

      Contest.job(cluster, "urgent", "high", 1);

      cluster.awaitSuspended("younger", true);
      cluster.podsGone("younger");
      cluster.awaitSuspended("urgent", false);
      cluster.settle();
      for (String spared : new String[] {"older", "better"}) {
        assertThat(TestCluster.isTrue(cluster.workload(spared), WorkloadConditions.EVICTED))
            .isFalse();
      }
    }
  }

  /** No further victim is evicted for a preemptor that is gone. */
  @Test
  void aPreemptorThatIsGoneLetsTheOthersPass() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      cluster.queue(Contest.LOWER, "default=2");
      cluster.startCore();
      Contest.running(cluster, "victim", "low", 1);
      Contest.running(cluster, "free", "high", 1);
      Contest.job(cluster, "urgent", "high", 1);
      cluster.awaitSuspended("victim", true);
      Contest.job(cluster, "small", "low", 1);
      cluster.settle();

      cluster.delete("urgent");
      cluster.jobSucceeds("free");

      cluster.awaitSuspended("small", false);
    }
  }

  @Test
  void aCoreKilledBetweenEvictionAndReleaseIsReplacedByOneThatKnows() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      cluster.queue(Contest.LOWER, "default=2");
      cluster.startCore();
      Contest.running(cluster, "a", "low", 1);
      Contest.running(cluster, "b", "low", 1);
      Contest.job(cluster, "urgent", "high", 1);
      cluster.awaitThat("a victim is evicted", world -> evicted(world) == 1);

      cluster.crashCore();
      cluster.advance(Duration.ofSeconds(5));
      cluster.startCore();
      cluster.settle();
      assertThat(evicted(cluster)).as("victims").isEqualTo(1);
      assertThat(TestCluster.reserved(cluster.workload("urgent"))).isFalse();

      cluster.podsGone("a");
      cluster.podsGone("b");
      cluster.awaitSuspended("urgent", false);
      cluster.settle();
      assertThat(cluster.workloads().stream().filter(TestCluster::reserved)).hasSize(2);
    }
  }

  private static long evicted(TestCluster cluster) {
    return cluster.workloads().stream()
        .filter(workload -> TestCluster.isTrue(workload, WorkloadConditions.EVICTED))
        .count();
  }

  private static boolean isToldWhy(Workload workload) {
    return workload.status().conditions().stream()
        .anyMatch(condition -> condition.reason().equals("WaitingForPreemptedWorkloads"));
  }
}
