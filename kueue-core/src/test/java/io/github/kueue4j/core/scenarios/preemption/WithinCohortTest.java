// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.preemption;

import static io.github.kueue4j.core.testing.TestCluster.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.SchedulingStatsEviction;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues of one cohort take back and share. */
@Simulated
class WithinCohortTest {
  @Test
  void anOwnerTakesBackWhatAnotherQueueBorrowed() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      queue(cluster, "owner", 2, "preemption: {reclaimWithinCohort: Any}");
      queue(cluster, "borrower", 1, "");
      cluster.startCore();
      Contest.running(cluster, "kept", "low", 1, "borrower");
      Contest.running(cluster, "borrowing", "low", 1, "borrower");
      Contest.running(cluster, "borrowing-more", "high", 1, "borrower");

      Contest.job(cluster, "back", "low", 1, "owner");

      cluster.awaitSuspended("borrowing", true);
      Workload victim = cluster.workload("borrowing");
      assertThat(condition(victim, WorkloadConditions.PREEMPTED).reason())
          .isEqualTo("InCohortReclamation");
      assertThat(condition(victim, WorkloadConditions.PREEMPTED).message())
          .endsWith(
              "due to reclamation within the cohort; preemptor path: /all/owner; preemptee path: /all/borrower");
      cluster.podsGone("borrowing");
      cluster.awaitSuspended("back", false);
      cluster.podsRun("back");

      // The rest of its quota comes back too, and then it has no more to claim.
      Contest.job(cluster, "back-again", "low", 1, "owner");
      cluster.awaitThat("another Workload is preempted", world -> evicted(world, "kept"));
      cluster.podsGone("kept");
      cluster.awaitSuspended("back-again", false);
      cluster.podsRun("back-again");
      Contest.job(cluster, "too-much", "high", 1, "owner");
      cluster.settle();
      assertThat(evicted(cluster, "borrowing-more")).isFalse();
      assertThat(TestCluster.reserved(cluster.workload("too-much"))).isFalse();
    }
  }

  /** A preemptor waits for two victims; what the first one frees is not for the others. */
  @Test
  void noWorkloadOfTheCohortTakesTheQuotaThatAPreemptorWaitsFor() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      queue(cluster, "owner", 2, "preemption: {reclaimWithinCohort: Any}");
      queue(cluster, "borrower", 0, "");
      queue(cluster, "rival", 0, "");
      cluster.startCore();
      Contest.running(cluster, "one", "low", 1, "borrower");
      Contest.running(cluster, "two", "low", 1, "borrower");
      Contest.job(cluster, "back", "low", 2, "owner");
      cluster.awaitSuspended("one", true);
      cluster.awaitSuspended("two", true);

      cluster.podsGone("one");
      cluster.awaitWorkload("one", workload -> !TestCluster.reserved(workload));
      Contest.job(cluster, "opportunist", "high", 1, "rival");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("opportunist"))).isFalse();

      cluster.podsGone("two");
      cluster.awaitSuspended("back", false);
      cluster.jobSucceeds("back");
      cluster.awaitSuspended("opportunist", false);
    }
  }

  /**
   * KEP-1282, the test for flapping of its plan: victims that are older than their preemptor, and
   * in another queue more important, too, aren't readmitted before it, though one stops long before
   * the other.
   */
  @ParameterizedTest
  @CsvSource({
    "BestEffortFIFO, owner, low, high",
    "StrictFIFO, owner, low, high",
    "BestEffortFIFO, borrower, high, low",
    "StrictFIFO, borrower, high, low"
  })
  @ExpectedLog(logger = "BlockingQueueWarning", message = "may block it")
  void withCreationOlderVictimsWaitForTheirPreemptor(
      String strategy, String victimsQueue, String victimsPriority, String priority) {
    List<String> victims = List.of("one", "two");
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      String preemption =
          ", preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any}";
      queue(cluster, "owner", 2, "queueingStrategy: " + strategy + preemption);
      queue(cluster, "borrower", 0, "queueingStrategy: " + strategy);
      cluster.startCore("waitForPodsReady: {requeuingStrategy: {timestamp: Creation}}\n");
      for (String victim : victims) {
        Contest.running(cluster, victim, victimsPriority, 1, victimsQueue);
      }
      Contest.job(cluster, "preemptor", priority, 2, "owner");
      for (String victim : victims) {
        cluster.awaitSuspended(victim, true);
      }

      cluster.podsGone("one");
      cluster.awaitWorkload("one", workload -> !TestCluster.reserved(workload));
      cluster.pass(Duration.ofMinutes(10));
      assertThat(TestCluster.reserved(cluster.workload("one"))).isFalse();
      cluster.podsGone("two");
      cluster.awaitSuspended("preemptor", false);
      cluster.podsRun("preemptor");
      cluster.pass(Duration.ofMinutes(10));

      assertThat(TestCluster.admitted(cluster.workload("preemptor"))).isTrue();
      assertThat(victims).allSatisfy(victim -> assertThat(evictions(cluster, victim)).isEqualTo(1));
      cluster.jobSucceeds("preemptor");
      for (String victim : victims) {
        cluster.awaitSuspended(victim, false);
      }
    }
  }

  private static int evictions(TestCluster cluster, String job) {
    return Objects.requireNonNull(cluster.workload(job).status().schedulingStats())
        .evictions()
        .stream()
        .mapToInt(SchedulingStatsEviction::count)
        .sum();
  }

  @Test
  void preemptorsThatWantTheSameVictimsAreCounted() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      queue(cluster, "first", 2, "preemption: {reclaimWithinCohort: Any}");
      queue(cluster, "second", 2, "preemption: {reclaimWithinCohort: Any}");
      queue(cluster, "borrower", 0, "");
      KueueCore core = cluster.startCore();
      Contest.running(cluster, "large", "low", 4, "borrower");
      Contest.job(cluster, "back", "high", 2, "first");
      cluster.awaitSuspended("large", true);

      Contest.job(cluster, "back-too", "low", 2, "second");

      cluster.awaitThat("the second one is skipped", world -> skips(core, "second") == 1);
      cluster.settle();
      assertThat(skips(core, "first")).isZero();
      assertThat(
              core.meters()
                  .get("kueue.preemption.target.recomputations")
                  .tags("cluster_queue", "second", "result", "deferred_fit")
                  .counter()
                  .count())
          .isPositive();
      cluster.podsGone("large");
      cluster.awaitSuspended("back", false);
      cluster.awaitSuspended("back-too", false);
      cluster.awaitThat("no Workload is skipped any more", world -> skips(core, "second") == 0);
    }
  }

  /** In the last cycle; -1 if that isn't measured yet. */
  private static double skips(KueueCore core, String queue) {
    Gauge gauge =
        core.meters()
            .find("kueue.admission.cycle.preemption.skips")
            .tag("cluster_queue", queue)
            .gauge();
    return gauge == null ? -1 : gauge.value();
  }

  @Test
  void fairSharingEvensOutWhatIsBorrowed() {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      queue(cluster, "lender", 4, "");
      queue(cluster, "greedy", 0, "preemption: {reclaimWithinCohort: Any}");
      queue(cluster, "late", 0, "preemption: {reclaimWithinCohort: Any}");
      cluster.startCore("fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}\n");
      for (int i = 0; i < 4; i++) {
        Contest.running(cluster, "greedy-" + i, "high", 1, "greedy");
      }

      for (int i = 0; i < 3; i++) {
        Contest.job(cluster, "late-" + i, "low", 1, "late");
      }

      for (String victim : new String[] {"greedy-3", "greedy-2"}) {
        cluster.awaitSuspended(victim, true);
        assertThat(condition(cluster.workload(victim), WorkloadConditions.PREEMPTED).reason())
            .isEqualTo("InCohortFairSharing");
        cluster.podsGone(victim);
      }
      cluster.awaitSuspended("late-0", false);
      cluster.awaitSuspended("late-1", false);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("late-2"))).isFalse();
      assertThat(evicted(cluster, "greedy-1")).isFalse();
    }
  }

  private static boolean evicted(TestCluster cluster, String job) {
    return TestCluster.isTrue(cluster.workload(job), WorkloadConditions.EVICTED);
  }

  private static void queue(TestCluster cluster, String name, int cpus, String more) {
    cluster.flavor("default");
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %1$s}
        spec: {cohortName: all, namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],
          flavors: [{name: default, resources: [{name: cpu, nominalQuota: %2$d}]}]}]%3$s}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: %1$s, namespace: team}
        spec: {clusterQueue: %1$s}
        """
            .formatted(name, cpus, more.isEmpty() ? "" : ", " + more));
  }
}
