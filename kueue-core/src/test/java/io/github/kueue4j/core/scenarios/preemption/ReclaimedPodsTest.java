// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** KEP-78: a Job that was evicted when part of it was done asks for quota for the rest. */
@Tag("quick")
@Simulated
class ReclaimedPodsTest {
  @Test
  void aJobThatIsHalfDoneRunsAgainWhereThereIsRoomForTheRest() {
    try (TestCluster cluster = cluster()) {
      cluster.startCore();
      half(cluster, "");
      evicted(cluster);

      // Of four CPUs two stay taken: there is no room for four pods.
      Contest.job(cluster, "other", "high", 2);
      // It waits before there is room: otherwise "half" might get it first.
      cluster.settle();
      cluster.jobSucceeds("urgent");
      cluster.awaitSuspended("other", false);

      cluster.awaitSuspended("half", false);
      PodSetAssignment assignment = assignment(cluster);
      assertThat(assignment.count()).isEqualTo(2);
      assertThat(assignment.resourceUsage().get("cpu")).hasToString("2");
      assertThat(parallelism(cluster)).as("no more than two can run").isEqualTo(4);
      progress(cluster, 2, 2);
      // They take two CPUs, neither less nor more, and a core that starts anew finds the same.
      Contest.job(cluster, "late", "low", 1);
      cluster.settle();
      cluster.crashCore();
      cluster.startCore();
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("late"))).isFalse();
      assertThat(TestCluster.admitted(cluster.workload("half"))).isTrue();
      assertThat(parallelism(cluster)).isEqualTo(4);

      progress(cluster, 3, 1);
      cluster.awaitSuspended("late", false);
      assertThat(cluster.workload("half").status().reclaimablePods())
          .containsExactly(new ReclaimablePod("main", 3));
      assertThat(assignment(cluster)).isEqualTo(assignment);
    }
  }

  @Test
  void fewerOfTheRestRunWhereThereIsNoRoomForAllOfThem() {
    try (TestCluster cluster = cluster()) {
      cluster.startCore();
      half(cluster, "kueue.x-k8s.io/job-min-parallelism: '1'");
      evicted(cluster);

      Contest.job(cluster, "other", "high", 3);
      // It waits before there is room: otherwise "half" might get it first.
      cluster.settle();
      cluster.jobSucceeds("urgent");
      cluster.awaitSuspended("other", false);

      cluster.awaitSuspended("half", false);
      assertThat(assignment(cluster).count()).isEqualTo(1);
      assertThat(parallelism(cluster)).isEqualTo(1);
      progress(cluster, 3, 1);
      // The last one runs on: its CPU isn't free, though three of the four will not run again.
      Contest.job(cluster, "late", "low", 1);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("late"))).isFalse();
      assertThat(TestCluster.admitted(cluster.workload("half"))).isTrue();

      Contest.job(cluster, "most-urgent", "high", 1);
      cluster.awaitSuspended("half", true);
      progress(cluster, 3, 0);
      cluster.awaitSuspended("most-urgent", false);
      assertThat(parallelism(cluster)).as("as its user wrote it").isEqualTo(4);
    }
  }

  private static TestCluster cluster() {
    TestCluster cluster = new TestCluster();
    Contest.classes(cluster);
    cluster.queue(Contest.LOWER, "default=4");
    return cluster;
  }

  /** A Job of four, of which two are done and two run. */
  private static void half(TestCluster cluster, String annotations) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: half
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/priority-class: mid}
          annotations: {%s}
        spec:
          suspend: true
          parallelism: 4
          completions: 4
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}
        """
            .formatted(annotations));
    cluster.awaitSuspended("half", false);
    progress(cluster, 2, 2);
    cluster.awaitWorkload("half", workload -> !workload.status().reclaimablePods().isEmpty());
  }

  /** Has it evicted by a Workload that needs the whole quota. */
  private static void evicted(TestCluster cluster) {
    Contest.job(cluster, "urgent", "high", 4);
    cluster.awaitSuspended("half", true);
    progress(cluster, 2, 0);
    cluster.awaitSuspended("urgent", false);
    cluster.podsRun("urgent");
    cluster.pass(Duration.ofSeconds(2));
    assertThat(TestCluster.reserved(cluster.workload("half"))).isFalse();
    assertThat(cluster.workload("half").status().reclaimablePods())
        .containsExactly(new ReclaimablePod("main", 2));
  }

  private static void progress(TestCluster cluster, int succeeded, int active) {
    cluster.api.patchStatus(
        CoreTypes.JOB,
        TestCluster.key("half"),
        TestCluster.merge(
            "{\"status\": {\"succeeded\": %d, \"active\": %d}}".formatted(succeeded, active)));
  }

  private static PodSetAssignment assignment(TestCluster cluster) {
    return Objects.requireNonNull(cluster.workload("half").status().admission())
        .podSetAssignments()
        .getFirst();
  }

  private static Integer parallelism(TestCluster cluster) {
    return Objects.requireNonNull(cluster.job("half").getSpec()).getParallelism();
  }
}
