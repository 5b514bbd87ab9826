// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TrainJobs whose pods aren't known, since Trainer has not made or restored their JobSet. */
@Simulated
class TrainJobWaitsTest {
  private static TestCluster cluster(String more, String quota) {
    TestCluster cluster = new TestCluster();
    JobSets.install(cluster);
    PlayedTrainer.install(cluster);
    cluster.queue(more, quota);
    return cluster;
  }

  private static Workload workload(TestCluster cluster) {
    assertThat(cluster.workloads()).hasSize(1);
    return cluster.workloads().getFirst();
  }

  private static List<String> told(TestCluster cluster) {
    return told(cluster, "AwaitsPods");
  }

  private static List<String> told(TestCluster cluster, String reason) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> reason.equals(event.getReason()))
        .map(event -> String.valueOf(event.getNote()))
        .toList();
  }

  private static void deleteJobSet(TestCluster cluster) {
    cluster.api.delete(JobSet.TYPE, PlayedTrainer.KEY, DeleteOptions.background());
    cluster.settle();
  }

  @Test
  void aQueuedOneGetsNoQuotaUntilItsJobSetIsMadeAnew() {
    try (TestCluster cluster = cluster("", "default=0")) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await("it is queued", () -> cluster.workloads().size() == 1);

      deleteJobSet(cluster);
      cluster.queue("", "default=4");
      cluster.passUntil("its user is told", world -> !told(world).isEmpty());

      assertThat(told(cluster).getFirst()).startsWith("It can't be queued yet: its JobSet train");
      assertThat(TestCluster.condition(workload(cluster), WorkloadConditions.QUOTA_RESERVED))
          .matches(reserved -> !reserved.isTrue())
          .matches(reserved -> reserved.reason().equals("AwaitsPods"))
          .matches(reserved -> reserved.message().contains("its JobSet train doesn't exist yet"));
      trainer.passUntil("it runs", () -> !trainer.suspended());
    }
  }

  @Test
  void oneThatWasAdmittedMeanwhileIsToldAndStartedWhenItsJobSetIsMadeAnew() {
    try (TestCluster cluster =
        cluster("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=4")) {
      cluster.check("budget");
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      trainer.await(
          "it is reserved", () -> cluster.workloads().stream().anyMatch(TestCluster::reserved));

      deleteJobSet(cluster);
      cluster.answerBare(workload(cluster).metadata().getName(), "budget", CheckState.READY, null);
      cluster.passUntil("its user is told", world -> !told(world).isEmpty());

      assertThat(told(cluster).getFirst()).startsWith("It can't be started yet: its JobSet train");
      assertThat(workload(cluster)).matches(TestCluster::admitted);
      trainer.await("it runs", () -> !trainer.suspended());
    }
  }

  @Test
  void whatItsPodsAskForInVainIsTold() {
    try (TestCluster cluster = cluster("", "default=4")) {
      PlayedTrainer trainer = new PlayedTrainer(cluster);
      trainer.annotation = "kueue.x-k8s.io/podset-required-topology: rack";
      cluster.startCore(PlayedTrainer.FRAMEWORKS);
      cluster.apply(PlayedTrainer.OBJECT);

      trainer.await("it is told", () -> !told(cluster, "NotSupported").isEmpty());
      assertThat(told(cluster, "NotSupported").getFirst())
          .contains("JobSet node.metadata.annotations[kueue.x-k8s.io/podset-required-topology]");
    }
  }

  /** Trainer needs a moment, after the creation as after a stop. */
  @Test
  void nothingIsToldWhileTrainerFollowsAtOnce() {
    try (TestCluster cluster = cluster("", "default=4")) {
      PlayedTrainer trainer = PlayedTrainer.besideCore(cluster);
      cluster.settle();
      trainer.await("it runs", () -> !trainer.suspended());
      trainer.settle();
      cluster.queue("stopPolicy: HoldAndDrain", "default=4");
      trainer.await("it is drained", () -> !TestCluster.reserved(workload(cluster)));
      cluster.settle();
      cluster.queue("stopPolicy: None", "default=4");
      trainer.await("it runs again", () -> !trainer.suspended());

      assertThat(told(cluster)).isEmpty();
    }
  }
}
