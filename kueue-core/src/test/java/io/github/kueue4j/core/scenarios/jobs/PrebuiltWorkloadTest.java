// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that name a Workload which a user or another controller has created. */
@Tag("quick")
@Simulated
class PrebuiltWorkloadTest {
  @Test
  void aJobWaitsForTheWorkloadThatItNamesAndRunsOnIt() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      job(cluster, "job", false);
      cluster.awaitSuspended("job", true);
      cluster.settle();
      assertThat(cluster.workloads()).isEmpty();

      workload(cluster, 1);

      cluster.awaitSuspended("job", false);
      Workload taken = read(cluster);
      String uid = cluster.job("job").getMetadata().getUid();
      assertThat(taken.metadata().getOwnerReferences())
          .extracting(V1OwnerReference::getUid)
          .isEqualTo(List.of(Objects.requireNonNull(uid)));
      assertThat(taken.metadata().getLabels()).containsEntry("kueue.x-k8s.io/job-uid", uid);
      assertThat(taken.metadata().getFinalizers()).contains("kueue.x-k8s.io/resource-in-use");
      cluster.jobSucceeds("job");
      await(cluster, workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
    }
  }

  /** A RuntimeClass, too, adds to what pods take. */
  @ParameterizedTest
  @CsvSource({"2, ''", "1, 'runtimeClassName: light,'"})
  void aWorkloadForOtherPodsIsOutOfSyncAndTheJobDoesNotRun(int cpus, String fields) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      workload(cluster, cpus, fields);
      job(cluster, "job", true);

      await(
          cluster,
          workload ->
              TestCluster.isTrue(workload, WorkloadConditions.FINISHED)
                  && TestCluster.condition(workload, WorkloadConditions.FINISHED)
                      .reason()
                      .equals("OutOfSync"));
      cluster.settle();
      cluster.awaitSuspended("job", true);
      cluster.job("next", 9);
      cluster.awaitSuspended("next", false);
    }
  }

  @Test
  void aSecondJobThatNamesTheSameWorkloadDoesNotRun() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      workload(cluster, 1);
      job(cluster, "job", true);
      cluster.awaitSuspended("job", false);

      job(cluster, "second", false);

      cluster.awaitSuspended("second", true);
      cluster.settle();
      assertThat(cluster.workloads()).hasSize(1);
      assertThat(read(cluster).metadata().getOwnerReferences())
          .extracting(V1OwnerReference::getName)
          .isEqualTo(List.of("job"));
    }
  }

  @Test
  void aJobThatIsChangedKeepsItsQuotaUntilItsPodsHaveEnded() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      workload(cluster, 1);
      cluster.apply(
          TestJob.named("job")
              .queue("lq")
              .label("kueue.x-k8s.io/prebuilt-workload-name", "built")
              .pods(1, 2)
              .cpus(1)
              .yaml());
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.pod("job", "n1");

      cluster.api.patch(
          CoreTypes.JOB, TestCluster.key("job"), TestCluster.merge("{spec: {parallelism: 2}}"));
      cluster.awaitSuspended("job", true);
      cluster.deletePod("job");
      cluster.podsGone("job");
      cluster.pass(Duration.ofSeconds(5));

      assertThat(TestCluster.reserved(read(cluster))).isTrue();
      assertThat(TestCluster.isTrue(read(cluster), WorkloadConditions.FINISHED)).isFalse();

      cluster.podEnds("job");

      cluster.passUntil(
          "it is out of sync",
          world -> TestCluster.isTrue(read(world), WorkloadConditions.FINISHED));
    }
  }

  @Test
  void aWorkloadThatItsJobHasLeftDoesNotWaitForPodsThatRunOnAnother() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.pod("job", "n1");
      ObjectKey left = cluster.workload("job").key();
      workload(cluster, 1);

      cluster.api.patch(
          CoreTypes.JOB,
          TestCluster.key("job"),
          TestCluster.merge(
              "{metadata: {labels: {'kueue.x-k8s.io/prebuilt-workload-name': built}}}"));

      cluster.passUntil(
          "the Workload that it was made from is gone",
          world -> world.api.get(KueueTypes.WORKLOAD, left).isEmpty());
    }
  }

  private static void job(TestCluster cluster, String name, boolean suspend) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: team
          labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/prebuilt-workload-name: built}
        spec:
          suspend: %s
          template:
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}
        """
            .formatted(name, suspend));
  }

  private static void workload(TestCluster cluster, int cpus) {
    workload(cluster, cpus, "");
  }

  private static void workload(TestCluster cluster, int cpus, String podFields) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: built, namespace: team}
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template:
              spec: {restartPolicy: Never, %scontainers: [{name: main, image: busybox,
                resources: {requests: {cpu: %d}}}]}
        """
            .formatted(podFields + " ", cpus));
  }

  private static Workload read(TestCluster cluster) {
    return cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("built")).orElseThrow();
  }

  private static void await(TestCluster cluster, Predicate<Workload> expected) {
    cluster.awaitThat("the prebuilt Workload", world -> expected.test(read(world)));
  }
}
