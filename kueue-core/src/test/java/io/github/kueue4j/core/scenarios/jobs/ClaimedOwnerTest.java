// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The creator of a Job writes its owner references. A Job that says it belongs to one that runs
 * doesn't run on that one's quota for all that.
 */
@Simulated
class ClaimedOwnerTest {
  @Test
  void aBatchJobOwnsNoJobs() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("small", 1);
      cluster.awaitSuspended("small", false);

      child(cluster, "large", "batch/v1", "Job", "small", uid(cluster), 1, "1");

      cluster.awaitSuspended("large", true);
      cluster.settle();
      assertThat(cluster.workloads()).hasSize(2);
      cluster.awaitSuspended("large", true);
    }
  }

  private static String uid(TestCluster cluster) {
    return Objects.requireNonNull(
        Objects.requireNonNull(cluster.job("small").getMetadata()).getUid());
  }

  @ParameterizedTest
  @CsvSource({
    // The Job that the JobSet's controller creates.
    "set-leader-0, 1, 1, 1",
    // There is one replica.
    "set-leader-1, 1, 1, 2",
    "set-leader-00, 1, 1, 2",
    "set-other-0, 1, 1, 2",
    "mine, 1, 1, 2",
    // More pods than the group's Jobs have.
    "set-leader-0, 2, 1, 2",
    // Larger pods.
    "set-leader-0, 1, 64, 2",
    // The same, as the API server writes what the JobSet gives as 1.
    "set-leader-0, 1, 1000m, 1",
  })
  void aJobSetOwnsTheJobsOfItsSpecOnly(String name, int parallelism, String cpus, int workloads) {
    try (TestCluster cluster = new TestCluster()) {
      JobSets.install(cluster);
      cluster.queue("", "default=1");
      cluster.startCore(JobSets.FRAMEWORKS);
      JobSets.apply(
          cluster,
          true,
          """
          replicatedJobs: [{name: leader, template: {spec: {template: {spec: {
            restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: 1}}}]}}}}}]""");
      cluster.awaitThat("the JobSet runs", world -> !JobSets.suspended(world));

      child(
          cluster,
          name,
          "jobset.x-k8s.io/v1alpha2",
          "JobSet",
          "set",
          Objects.requireNonNull(JobSets.read(cluster).metadata().getUid()),
          parallelism,
          cpus);

      cluster.awaitSuspended(name, workloads == 2);
      cluster.settle();
      assertThat(cluster.workloads()).hasSize(workloads);
    }
  }

  private static void child(
      TestCluster cluster,
      String name,
      String apiVersion,
      String kind,
      String owner,
      String uid,
      int parallelism,
      String cpus) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %1$s
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: lq}
          ownerReferences: [{apiVersion: %2$s, kind: %3$s, name: %4$s, uid: %5$s, controller: true}]
        spec:
          suspend: false
          parallelism: %6$d
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: %7$s}}}]}
        """
            .formatted(name, apiVersion, kind, owner, uid, parallelism, cpus));
  }
}
