// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of a declared kind that runs on although it was suspended. */
@Simulated
@ExpectedLog(logger = "UnheededStops", message = "A Job runs on although it was suspended")
class UnheededSuspensionTest {
  /** As a controller of a version that doesn't know the field. */
  @Test
  void oneWhoseControllerDoesNotHeedItsSuspensionIsTold() {
    DeclaredSample sample = DeclaredSample.read("rayservice");
    try (TestCluster cluster = sample.cluster("default=9")) {
      cluster.apply(sample.object());
      sample.patchStatus(cluster, "running");
      cluster.startCore(sample.configuration());
      cluster.pass(Duration.ofMinutes(4));
      assertThat(unheeded(cluster)).isEmpty();

      cluster.passUntil("it is told", world -> !unheeded(world).isEmpty());

      assertThat(unheeded(cluster))
          .singleElement()
          .asString()
          .contains("in the 5 minutes since it was suspended", "heeds spec.suspend");
      assertThat(cluster.workloads()).isEmpty();
      sample.patchStatus(cluster, "stopped");
      DeclaredKindsTest.await(cluster, TestCluster::admitted);
    }
  }

  /** As KubeRay before 1.7, by whose definition a RayService has no such field. */
  @Test
  void oneWhoseDefinitionDropsTheSuspensionIsToldAtOnce() {
    DeclaredSample sample = DeclaredSample.read("rayservice");
    try (TestCluster cluster = new TestCluster()) {
      cluster.server.applyCrds(List.of(sample.definitionWithoutSuspension()));
      cluster.queue("", "default=9");
      cluster.apply(sample.object());
      cluster.startCore(sample.configuration());

      cluster.awaitThat("it is told", world -> !unheeded(world).isEmpty());

      assertThat(unheeded(cluster))
          .singleElement()
          .asString()
          .contains("stores it without spec.suspend", "rayservices.ray.io that has the field");
      assertThat(cluster.workloads()).isEmpty();
    }
  }

  /** Also by another core, which has to wait anew before it may say so itself. */
  @Test
  void theWorkloadOfOneThatRunsOnSaysSoUntilItHasStopped() {
    DeclaredSample sample = DeclaredSample.read("rayservice");
    try (TestCluster cluster = sample.cluster("default=9")) {
      cluster.apply(sample.object());
      cluster.startCore(sample.configuration());
      Workload admitted = DeclaredKindsTest.await(cluster, TestCluster::admitted);
      cluster.awaitThat("it runs", world -> !sample.suspended(world));
      sample.patchStatus(cluster, "running");

      DeclaredKindsTest.activate(cluster, admitted, false);
      cluster.passUntil("it is told", world -> unheededIn(world.workloads().getFirst()));

      assertThat(
              TestCluster.condition(
                      cluster.workloads().getFirst(), WorkloadConditions.SUSPENSION_UNHEEDED)
                  .message())
          .startsWith("RayService train: Its controller has not ended its pods")
          .endsWith("heeds spec.suspend");
      assertThat(TestCluster.reserved(cluster.workloads().getFirst())).isTrue();
      cluster.crashCore();
      cluster.startCore(sample.configuration());
      cluster.settle();
      assertThat(unheededIn(cluster.workloads().getFirst())).as("after a restart").isTrue();

      sample.patchStatus(cluster, "stopped");
      Workload stopped =
          DeclaredKindsTest.await(
              cluster, workload -> !TestCluster.reserved(workload) && !unheededIn(workload));
      assertThat(stopped.conditions().find(WorkloadConditions.SUSPENSION_UNHEEDED)).isEmpty();
    }
  }

  /** It runs on its own quota then, though nothing has stopped it. */
  @Test
  void itsWorkloadSaysSoNoLongerOnceItIsAdmitted() {
    DeclaredSample sample = DeclaredSample.read("rayservice");
    try (TestCluster cluster = sample.cluster("default=0")) {
      cluster.apply(sample.object());
      cluster.startCore(sample.configuration());
      DeclaredKindsTest.await(cluster, workload -> true);
      cluster.server.applyCrds(List.of(sample.definitionWithoutSuspension()));
      cluster.api.patch(
          sample.type(), DeclaredSample.KEY, TestCluster.merge("{\"spec\": {\"suspend\": null}}"));
      DeclaredKindsTest.await(cluster, UnheededSuspensionTest::unheededIn);

      cluster.queue("", "default=9");

      DeclaredKindsTest.await(
          cluster, workload -> TestCluster.admitted(workload) && !unheededIn(workload));
    }
  }

  private static boolean unheededIn(Workload workload) {
    return TestCluster.isTrue(workload, WorkloadConditions.SUSPENSION_UNHEEDED);
  }

  private static List<String> unheeded(TestCluster cluster) {
    return cluster.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
        .filter(event -> "SuspensionUnheeded".equals(event.getReason()))
        .map(event -> String.valueOf(event.getNote()))
        .toList();
  }
}
