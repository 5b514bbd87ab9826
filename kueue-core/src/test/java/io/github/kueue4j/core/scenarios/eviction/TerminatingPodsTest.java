// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Quota isn't given away while pods still run on it, whatever the status of their Job says. */
@Simulated
class TerminatingPodsTest {

  @Test
  void aVictimKeepsItsQuotaUntilItsPodHasEnded() {
    try (TestCluster cluster = running("")) {
      preempt(cluster);
      cluster.podsTerminate("victim", 1);
      cluster.deletePod("victim");
      cluster.pass(Duration.ofSeconds(8));

      assertThat(TestCluster.reserved(cluster.workload("victim"))).isTrue();
      assertThat(TestCluster.reserved(cluster.workload("urgent"))).isFalse();
      cluster.awaitThat("it is told", world -> !events(world, "QuotaKept").isEmpty());
      assertThat(events(cluster, "QuotaKept"))
          .containsExactly(
              "Keeping the quota until the pods of the stopped Job have ended; still running are"
                  + " 1 pod: 1 on node n1");

      cluster.podEnds("victim");
      cluster.podsTerminate("victim", 0);

      cluster.awaitWorkload("urgent", TestCluster::admitted);
      cluster.awaitSuspended("urgent", false);
      assertThat(TestCluster.reserved(cluster.workload("victim"))).isFalse();
    }
  }

  @Test
  void aServerThatCountsNoTerminatingPodsIsNotBelieved() {
    try (TestCluster cluster = running("")) {
      preempt(cluster);
      cluster.deletePod("victim");
      cluster.podsGone("victim");
      cluster.pass(Duration.ofSeconds(2));
      assertThat(TestCluster.reserved(cluster.workload("urgent"))).isFalse();

      cluster.podEnds("victim");

      cluster.passUntil(
          "its quota is free", world -> TestCluster.admitted(world.workload("urgent")));
    }
  }

  @Test
  void theQuotaOfADeletedJobIsKeptUntilItsPodHasEnded() {
    try (TestCluster cluster = running("")) {
      cluster.apply(TestJob.named("next").queue("lq").cpus(4).yaml());
      Workload kept = cluster.workload("victim");

      cluster.delete("victim");
      cluster.awaitThat(
          "its Workload and its pod go with it",
          world ->
              world.api.get(KueueTypes.WORKLOAD, kept.key()).filter(Health::terminating).isPresent()
                  && world
                      .api
                      .get(CoreTypes.POD, TestCluster.key("victim-pod"))
                      .filter(Health::terminating)
                      .isPresent());
      cluster.pass(Duration.ofSeconds(10));

      assertThat(cluster.api.get(CoreTypes.JOB, TestCluster.key("victim"))).isEmpty();
      assertThat(cluster.api.get(KueueTypes.WORKLOAD, kept.key()))
          .hasValueSatisfying(workload -> assertThat(TestCluster.reserved(workload)).isTrue());
      assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();

      cluster.podEnds("victim");

      cluster.passUntil("its quota is free", world -> TestCluster.admitted(world.workload("next")));
      assertThat(cluster.api.get(KueueTypes.WORKLOAD, kept.key())).isEmpty();
    }
  }

  /** Its next pods would run beside those that take their time to end, on one quota. */
  @Test
  void aJobThatItsUserSuspendsStartsAgainWhenItsPodHasEnded() {
    try (TestCluster cluster = running("")) {
      suspend(cluster, true);
      cluster.podsTerminate("victim", 1);
      cluster.deletePod("victim");
      cluster.pass(Duration.ofSeconds(10));

      cluster.awaitSuspended("victim", true);
      assertThat(TestCluster.admitted(cluster.workload("victim"))).isTrue();

      cluster.podEnds("victim");
      cluster.podsTerminate("victim", 0);

      cluster.awaitSuspended("victim", false);
    }
  }

  /** An administrator may start it; its pods are not looked at any more. */
  @Test
  void aJobThatIsResumedMeanwhileIsLeftAlone() {
    try (TestCluster cluster = running("")) {
      suspend(cluster, true);
      cluster.podsTerminate("victim", 1);
      cluster.deletePod("victim");
      cluster.pass(Duration.ofSeconds(10));

      suspend(cluster, false);
      cluster.settle();

      cluster.pass(Duration.ofMinutes(1));
      cluster.awaitSuspended("victim", false);
      assertThat(TestCluster.admitted(cluster.workload("victim"))).isTrue();
    }
  }

  private static void suspend(TestCluster cluster, boolean suspend) {
    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key("victim"),
        TestCluster.merge("{spec: {suspend: " + suspend + "}}"));
  }

  @Test
  void podsThatADeletedJobLeavesBehindKeepItsQuota() {
    try (TestCluster cluster = running("")) {
      cluster.apply(TestJob.named("next").queue("lq").cpus(4).yaml());
      Workload kept = cluster.workload("victim");

      cluster.api.delete(
          CoreTypes.JOB,
          TestCluster.key("victim"),
          DeleteOptions.background().withPropagation(DeleteOptions.Propagation.ORPHAN));
      cluster.awaitThat(
          "the Job is gone",
          world -> world.api.get(CoreTypes.JOB, TestCluster.key("victim")).isEmpty());
      cluster.api.delete(KueueTypes.WORKLOAD, kept.key(), DeleteOptions.background());
      cluster.pass(Duration.ofMinutes(10));

      assertThat(cluster.api.get(KueueTypes.WORKLOAD, kept.key()))
          .hasValueSatisfying(workload -> assertThat(TestCluster.admitted(workload)).isTrue());
      assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();

      cluster.podEnds("victim");

      cluster.passUntil("its quota is free", world -> TestCluster.admitted(world.workload("next")));
    }
  }

  @Test
  @ExpectedLog(
      logger = "StoppedPods",
      message = "Released quota although pods on lost nodes may still run")
  void aPodOnALostNodeKeepsItForAsLongAsConfigured() {
    try (TestCluster cluster = running("kueue4j: {quotaRelease: {lostNodeTimeout: 10m}}\n")) {
      node(cluster, "Unknown");
      preempt(cluster);
      cluster.podsTerminate("victim", 1);
      cluster.deletePod("victim");

      // It had 30 s to end.
      cluster.pass(Duration.ofSeconds(30 + 9 * 60));
      assertThat(TestCluster.reserved(cluster.workload("urgent"))).isFalse();

      cluster.passUntil("it is given up", world -> TestCluster.admitted(world.workload("urgent")));
      cluster.awaitThat("it is told", world -> !events(world, "QuotaReleasedOfLostPods").isEmpty());
      assertThat(events(cluster, "QuotaReleasedOfLostPods"))
          .singleElement()
          .asString()
          .contains("1 pod: 1 on node n1");
    }
  }

  @Test
  void aPodThatTakesForEverOnAReadyNodeKeepsItForEver() {
    try (TestCluster cluster = running("")) {
      node(cluster, "True");
      preempt(cluster);
      cluster.podsTerminate("victim", 1);
      cluster.deletePod("victim");

      cluster.pass(Duration.ofHours(2));

      assertThat(TestCluster.reserved(cluster.workload("urgent"))).isFalse();
    }
  }

  @Test
  void onRequestItIsFreeAsSoonAsTheJobIsSuspended() {
    try (TestCluster cluster = running("kueue4j: {quotaRelease: {when: JobSuspended}}\n")) {
      preempt(cluster);
      cluster.podsTerminate("victim", 1);
      cluster.deletePod("victim");

      cluster.awaitWorkload("urgent", TestCluster::admitted);
    }
  }

  /** A Job {@code victim} of low priority that runs, and fills the queue. */
  private static TestCluster running(String configuration) {
    TestCluster cluster = new TestCluster();
    cluster.apply(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,
          metadata: {name: high}, value: 100}
        """);
    cluster.queue("preemption: {withinClusterQueue: LowerPriority}", "default=4");
    cluster.startCore(configuration);
    cluster.job("victim", 4);
    cluster.awaitSuspended("victim", false);
    cluster.podsRun("victim");
    cluster.pod("victim", "n1");
    return cluster;
  }

  /** Another one takes its quota. */
  private static void preempt(TestCluster cluster) {
    cluster.apply(TestJob.named("urgent").queue("lq").priority("high").cpus(4).yaml());
    cluster.awaitWorkload(
        "victim", workload -> TestCluster.isTrue(workload, WorkloadConditions.EVICTED));
    cluster.awaitSuspended("victim", true);
  }

  private static void node(TestCluster cluster, String ready) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n1}
        status: {conditions: [{type: Ready, status: "%s"}]}
        """
            .formatted(ready));
  }

  private static List<String> events(TestCluster cluster, String reason) {
    return cluster
        .api
        .list(CoreTypes.EVENT, ListOptions.inNamespace(TestCluster.NAMESPACE))
        .items()
        .stream()
        .filter(event -> reason.equals(event.getReason()))
        .map(event -> String.valueOf(event.getNote()))
        .toList();
  }
}
