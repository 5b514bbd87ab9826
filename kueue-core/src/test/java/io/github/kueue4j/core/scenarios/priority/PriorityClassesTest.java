// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.priority;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.simulation.Simulated;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where priorities come from, and that changed ones reach those that wait. */
@Tag("quick")
@Simulated
class PriorityClassesTest {
  @Test
  void aJobWithoutAClassGetsTheDefaultOfAllPods() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      podClass(cluster, "usual", 7, true);
      podClass(cluster, "named", 9, false);
      cluster.startCore();

      cluster.job("plain", 1);
      cluster.job("names-one", 1, "priorityClassName: named", true);

      assertThat(cluster.workload("plain").spec().priority()).isEqualTo(7);
      assertThat(cluster.workload("plain").spec().priorityClassRef())
          .isEqualTo(new PriorityClassRef("scheduling.k8s.io", "PriorityClass", "usual"));
      assertThat(cluster.workload("names-one").spec().priority()).isEqualTo(9);
    }
  }

  @Test
  void aChangedWorkloadPriorityClassReordersTheQueue() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      workloadClass(cluster, "high", 100);
      workloadClass(cluster, "rising", 1);
      cluster.startCore();
      cluster.job("runs", 1);
      cluster.awaitSuspended("runs", false);
      job(cluster, "high", "high");
      job(cluster, "rising", "rising");
      cluster.workload("high");
      cluster.workload("rising");

      workloadClass(cluster, "rising", 1000);
      cluster.awaitWorkload(
          "rising", workload -> Integer.valueOf(1000).equals(workload.spec().priority()));
      cluster.settle();
      cluster.jobSucceeds("runs");

      cluster.awaitSuspended("rising", false);
      cluster.awaitSuspended("high", true);
    }
  }

  @Test
  void aPriorityClassThatWasMadeAnewReachesThoseThatWait() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      podClass(cluster, "usual", 7, true);
      cluster.startCore();
      cluster.job("runs", 1);
      cluster.awaitSuspended("runs", false);
      cluster.job("waits", 1);
      cluster.workload("waits");

      podClass(cluster, "usual", 8, true);

      cluster.awaitWorkload(
          "waits", workload -> Integer.valueOf(8).equals(workload.spec().priority()));
    }
  }

  @Test
  void aNewHeadOfAStrictQueueIsTriedThoughTheOldOneDoesNotFit() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("queueingStrategy: StrictFIFO", "default=2");
      workloadClass(cluster, "high", 100);
      cluster.startCore();
      cluster.job("too-large", 3);
      cluster.workload("too-large");
      cluster.settle();

      job(cluster, "small", "high");

      cluster.awaitSuspended("small", false);
    }
  }

  private static void job(TestCluster cluster, String name, String priorityClass) {
    cluster.apply(TestJob.named(name).queue("lq").priority(priorityClass).cpus(1).yaml());
  }

  private static void workloadClass(TestCluster cluster, String name, int value) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: WorkloadPriorityClass
        metadata: {name: %s}
        value: %d
        """
            .formatted(name, value));
  }

  private static void podClass(TestCluster cluster, String name, int value, boolean globalDefault) {
    cluster.apply(
        """
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: %s}
        value: %d
        globalDefault: %s
        """
            .formatted(name, value, globalDefault));
  }
}
