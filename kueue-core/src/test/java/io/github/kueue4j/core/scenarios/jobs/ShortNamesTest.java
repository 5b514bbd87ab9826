// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.jobs.WorkloadNames;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.V1Job;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The gate ShortWorkloadNames: names that fit a label, and what is called otherwise already. */
@Simulated
class ShortNamesTest {
  private static final String ON = "featureGates: {ShortWorkloadNames: true}\n";
  private static final String LONG = "a".repeat(62);

  @Test
  void namesFitALabelAndStillTellJobsApart() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(ON);
      cluster.job(LONG, 1);
      cluster.job("a".repeat(61) + "b", 1);
      cluster.awaitThat("both have Workloads", world -> world.workloads().size() == 2);

      assertThat(names(cluster))
          .doesNotHaveDuplicates()
          .allMatch(name -> name.length() == 63)
          .allMatch(name -> name.matches("job-a{53}-[0-9a-f]{5}"));
      cluster.awaitSuspended(LONG, false);
    }
  }

  @Test
  void shortJobsAreCalledTheSameEitherWay() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(ON);
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);

      assertThat(names(cluster)).containsExactly(ObjectKey.of(cluster.workload("job")).name());
    }
  }

  @Test
  void aWorkloadThatHasALongNameKeepsItWhenTheGateIsSwitchedOn() {
    try (TestCluster cluster = new TestCluster()) {
      runWithALongName(cluster);
      Workload before = cluster.workload(LONG);
      cluster.settle();
      cluster.crashCore();

      cluster.startCore(ON);
      cluster.settle();

      assertThat(names(cluster)).containsExactly(before.metadata().getName());
      assertThat(cluster.job(LONG).getSpec().getSuspend()).isFalse();
      cluster.jobSucceeds(LONG);
      cluster.awaitWorkload(
          LONG, workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
    }
  }

  @Test
  void aWorkloadThatTheCacheDoesNotShowYetIsNotMadeOnceMore() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(ON);
      cluster.apply(TestJob.named(LONG).cpus(1).yaml());
      cluster.settle();
      cluster.silence("workloads");
      String made = make(cluster, false);

      cluster.api.patch(
          CoreTypes.JOB,
          TestCluster.key(LONG),
          TestCluster.merge(
              "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"lq\"}}}"));
      cluster.settle();

      assertThat(names(cluster)).containsExactly(made);
    }
  }

  @Test
  void ofTwoWorkloadsTheOneThatHoldsQuotaStaysAndTheJobRunsOn() {
    try (TestCluster cluster = new TestCluster()) {
      runWithALongName(cluster);
      String before = ObjectKey.of(cluster.workload(LONG)).name();
      cluster.settle();
      Long generation = cluster.job(LONG).getMetadata().getGeneration();
      cluster.crashCore();
      make(cluster, true);

      cluster.startCore(ON);
      cluster.awaitThat("one goes", world -> world.workloads().size() == 1);
      cluster.settle();

      assertThat(names(cluster)).containsExactly(before);
      assertThat(TestCluster.admitted(cluster.workload(LONG))).isTrue();
      assertThat(cluster.job(LONG).getMetadata().getGeneration())
          .as("it was not stopped")
          .isEqualTo(generation);
    }
  }

  @Test
  void ofTwoWorkloadsThatWaitTheOlderStays() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("stopPolicy: Hold", "default=2");
      cluster.startCore();
      cluster.job(LONG, 1);
      String before = ObjectKey.of(cluster.workload(LONG)).name();
      cluster.pass(Duration.ofSeconds(2));
      cluster.crashCore();
      make(cluster, true);

      cluster.startCore(ON);
      cluster.awaitThat("one goes", world -> world.workloads().size() == 1);
      cluster.settle();

      assertThat(names(cluster)).containsExactly(before);
    }
  }

  /** Another core, which leads no longer, has made a Workload of the Job in its last moment. */
  private static String make(TestCluster cluster, boolean shortened) {
    V1Job job = cluster.job(LONG);
    String name = new WorkloadNames(shortened).of(CoreTypes.JOB, job).name();
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata:
          name: %s
          namespace: team
          finalizers: [kueue.x-k8s.io/resource-in-use]
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: %s, uid: %s, controller: true}
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}}
        """
            .formatted(name, LONG, job.getMetadata().getUid()));
    return name;
  }

  private static List<String> names(TestCluster cluster) {
    return cluster.workloads().stream().map(workload -> ObjectKey.of(workload).name()).toList();
  }

  /** A Job with a long name runs, and its Workload was named while the gate was off. */
  private static void runWithALongName(TestCluster cluster) {
    cluster.queue("", "default=1");
    cluster.startCore();
    cluster.job(LONG, 1);
    cluster.awaitSuspended(LONG, false);
    cluster.podsRun(LONG);
  }
}
