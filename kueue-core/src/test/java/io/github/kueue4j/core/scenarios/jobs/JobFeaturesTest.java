// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ReclaimablePod;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What labels, annotations and the configuration do to Jobs and their Workloads. */
@Simulated
class JobFeaturesTest {
  @Test
  void aWorkloadTakesOverWhatTheJobSays() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=0");
      cluster.startCore("integrations: {labelKeysToCopy: [team, absent]}\n");
      cluster.apply(
          TestJob.named("job")
              .queue("lq")
              .label("kueue.x-k8s.io/max-exec-time-seconds", "90")
              .label("team", "physics")
              .label("other", "1")
              .annotation("provreq.kueue.x-k8s.io/zone", "a")
              .annotation("kueue.x-k8s.io/admission-gated-by", "example.com/quota")
              .annotation("unrelated", "1")
              .yaml());

      Workload workload = cluster.workload("job");

      assertThat(workload.spec().maximumExecutionTimeSeconds()).isEqualTo(90);
      assertThat(workload.metadata().getLabels())
          .containsEntry("team", "physics")
          .doesNotContainKeys("other", "absent");
      assertThat(workload.metadata().getAnnotations())
          .isEqualTo(
              Map.of(
                  "provreq.kueue.x-k8s.io/zone", "a",
                  "kueue.x-k8s.io/admission-gated-by", "example.com/quota"));
    }
  }

  /** A cluster that hands Workloads on to this one compares what it sent with what it reads. */
  @Test
  void theMetadataOfATemplateIsKeptAsTheJobHasIt() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: job, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec:
            suspend: true
            template:
              metadata: {name: pod, namespace: team, finalizers: [example.com/archive]}
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
          """);

      Workload admitted = cluster.awaitWorkload("job", TestCluster::admitted);

      assertThat(admitted.spec().podSets().getFirst().template().getMetadata())
          .extracting(
              metadata -> Objects.requireNonNull(metadata).getName(),
              metadata -> Objects.requireNonNull(metadata).getNamespace(),
              metadata -> Objects.requireNonNull(metadata).getFinalizers())
          .containsExactly("pod", "team", List.of("example.com/archive"));
    }
  }

  @Test
  void gatesThatAreOpenedOnTheJobAreOpenedOnItsWorkloadAndNoneIsAdded() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=0");
      cluster.startCore();
      cluster.apply(
          TestJob.named("job")
              .queue("lq")
              .annotation("kueue.x-k8s.io/admission-gated-by", "a.com/x,b.com/y")
              .yaml());
      cluster.workload("job");

      gate(cluster, "\"b.com/y\"");
      cluster.awaitWorkload("job", workload -> "b.com/y".equals(gates(workload)));
      gate(cluster, "\"b.com/y,c.com/z\"");
      cluster.settle();
      assertThat(gates(cluster.workload("job"))).isEqualTo("b.com/y");
      gate(cluster, "\",\"");
      cluster.awaitWorkload("job", workload -> ",".equals(gates(workload)));
      gate(cluster, "null");
      cluster.awaitWorkload("job", workload -> gates(workload) == null);
    }
  }

  /** Without waiting for the next try, which would take half a minute. */
  @Test
  void aJobThatNamesAMissingPriorityClassIsQueuedWhenTheClassComes() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.apply(TestJob.named("early").queue("lq").priority("late").cpus(1).yaml());
      cluster.settle();
      assertThat(cluster.workloads()).isEmpty();

      cluster.apply(
          "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name:"
              + " late}, value: 7}");

      cluster.awaitSuspended("early", false);
      assertThat(cluster.workload("early").spec().priority()).isEqualTo(7);
    }
  }

  @Test
  void anotherPriorityClassOnTheJobReachesItsWorkloadWaitingOrRunning() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      for (String priority : new String[] {"low=1", "high=9"}) {
        cluster.apply(
            "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: %s},"
                    .formatted(priority.substring(0, priority.indexOf('=')))
                + " value: "
                + priority.substring(priority.indexOf('=') + 1)
                + "}");
      }
      cluster.startCore();
      cluster.job("running", 1);
      cluster.awaitSuspended("running", false);
      cluster.job("waiting", 1);
      cluster.workload("waiting");
      cluster.settle();

      priority(cluster, "waiting", "low");
      Workload low =
          cluster.awaitWorkload("waiting", workload -> workload.spec().priorityClassRef() != null);
      assertThat(low.spec().priority()).isEqualTo(1);
      priority(cluster, "waiting", "high");
      cluster.awaitWorkload(
          "waiting",
          workload ->
              "high".equals(Objects.requireNonNull(workload.spec().priorityClassRef()).name())
                  && Integer.valueOf(9).equals(workload.spec().priority()));
      cluster.jobSucceeds("running");
      cluster.awaitSuspended("waiting", false);
      priority(cluster, "waiting", "low");
      cluster.awaitWorkload(
          "waiting", workload -> Integer.valueOf(1).equals(workload.spec().priority()));
      cluster.awaitSuspended("waiting", false);
    }
  }

  /** Three of five completions run at once; when only one is left, two pods' quota is free. */
  @Test
  void podsThatWillNotRunAgainGiveTheirQuotaBack() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=3");
      cluster.startCore();
      cluster.apply(TestJob.named("job").queue("lq").pods(3, 5).cpus(1).yaml());
      cluster.awaitSuspended("job", false);
      cluster.job("next", 2);
      cluster.workload("next");

      succeeded(cluster, 2, 3);
      cluster.settle();
      assertThat(cluster.workload("job").status().reclaimablePods()).isEmpty();
      assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();
      succeeded(cluster, 4, 1);

      cluster.awaitWorkload("next", TestCluster::admitted);
      assertThat(cluster.workload("job").status().reclaimablePods())
          .containsExactly(new ReclaimablePod("main", 2));
    }
  }

  /** API servers let no other count go back than the indexes of a Job that may be scaled. */
  @Test
  void quotaThatWasGivenBackIsNotTakenWhereACountGoesBack() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=3");
      cluster.startCore();
      cluster.apply(TestJob.named("job").queue("lq").indexed().pods(3, 3).cpus(1).yaml());
      cluster.awaitSuspended("job", false);
      completed(cluster, "0,2", 1);
      cluster.awaitWorkload(
          "job",
          workload ->
              workload.status().reclaimablePods().equals(List.of(new ReclaimablePod("main", 2))));

      completed(cluster, "0", 2);

      cluster.settle();
      assertThat(cluster.workload("job").status().reclaimablePods())
          .containsExactly(new ReclaimablePod("main", 2));
    }
  }

  /** Its user suspends it in the moment of an eviction: it is still brought back as it was. */
  @Test
  void aJobThatItsUserSuspendsLosesWhatAFlavorHasAdded() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      Workload admitted = cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.settle();
      cluster.crashCore();
      cluster.api.patch(
          CoreTypes.JOB,
          TestCluster.key("job"),
          TestCluster.merge("{\"spec\": {\"suspend\": true}}"));
      cluster.podsGone("job");
      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(admitted),
          TestCluster.merge("{\"spec\": {\"active\": false}}"));

      cluster.startCore();

      Workload released = cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
      cluster.settle();
      assertThat(cluster.job("job").getSpec().getTemplate().getSpec().getNodeSelector())
          .isNullOrEmpty();
      assertThat(cluster.workload("job").spec().podSets()).isEqualTo(released.spec().podSets());
      assertThat(released.spec().podSets()).isEqualTo(admitted.spec().podSets());
    }
  }

  @Test
  void finishedWorkloadsAreDeletedAfterTheirTime() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore("objectRetentionPolicies: {workloads: {afterFinished: 1h}}\n");
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);
      cluster.jobSucceeds("job");
      cluster.awaitWorkload(
          "job", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      cluster.pass(Duration.ofMinutes(59));
      assertThat(cluster.workloads()).hasSize(1);

      cluster.advance(Duration.ofMinutes(2));

      cluster.awaitThat("it is deleted", world -> world.workloads().isEmpty());
      cluster.settle();
      assertThat(cluster.workloads()).as("and not made anew").isEmpty();
      assertThat(cluster.api.get(CoreTypes.JOB, TestCluster.key("job"))).isPresent();
    }
  }

  /** One that a check has rejected goes; one that its user has deactivated stays. */
  @Test
  void jobsThatKueueHasDeactivatedAreDeletedAfterTheirTime() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=2");
      cluster.startCore("objectRetentionPolicies: {workloads: {afterDeactivatedByKueue: 10m}}\n");
      cluster.job("rejected", 1);
      cluster.job("paused", 1);
      cluster.answer("rejected", "budget", CheckState.REJECTED, null);
      Workload paused = cluster.awaitWorkload("paused", TestCluster::reserved);
      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(paused),
          TestCluster.merge("{\"spec\": {\"active\": false}}"));
      cluster.awaitWorkload("rejected", workload -> !TestCluster.reserved(workload));
      cluster.awaitWorkload("paused", workload -> !TestCluster.reserved(workload));
      cluster.pass(Duration.ofMinutes(9));
      assertThat(cluster.api.list(CoreTypes.JOB, ListOptions.inNamespace("team")).items())
          .hasSize(2);

      cluster.advance(Duration.ofMinutes(2));

      cluster.awaitThat(
          "one Job is deleted",
          world ->
              world.api.list(CoreTypes.JOB, ListOptions.inNamespace("team")).items().size() == 1);
      cluster.settle();
      assertThat(cluster.api.get(CoreTypes.JOB, TestCluster.key("paused"))).isPresent();
    }
  }

  private static void gate(TestCluster cluster, String json) {
    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key("job"),
        TestCluster.merge(
            "{\"metadata\": {\"annotations\": {\"kueue.x-k8s.io/admission-gated-by\": "
                + json
                + "}}}"));
  }

  private static String gates(Workload workload) {
    Map<String, String> annotations = workload.metadata().getAnnotations();
    return annotations == null ? null : annotations.get("kueue.x-k8s.io/admission-gated-by");
  }

  private static void priority(TestCluster cluster, String job, String priorityClass) {
    cluster.api.patch(
        CoreTypes.JOB,
        TestCluster.key(job),
        TestCluster.merge(
            "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/priority-class\": \""
                + priorityClass
                + "\"}}}"));
  }

  private static void succeeded(TestCluster cluster, int succeeded, int active) {
    cluster.api.patchStatus(
        CoreTypes.JOB,
        TestCluster.key("job"),
        TestCluster.merge(
            "{\"status\": {\"succeeded\": %d, \"active\": %d}}".formatted(succeeded, active)));
  }

  private static void completed(TestCluster cluster, String indexes, int active) {
    cluster.api.patchStatus(
        CoreTypes.JOB,
        TestCluster.key("job"),
        TestCluster.merge(
            "{\"status\": {\"completedIndexes\": \"%s\", \"active\": %d}}"
                .formatted(indexes, active)));
  }
}
