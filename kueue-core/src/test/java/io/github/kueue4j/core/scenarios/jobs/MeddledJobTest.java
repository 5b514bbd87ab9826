// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1Job;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that users change in unforeseen ways run on what was admitted, or not at all. */
class MeddledJobTest {
  private static final String ALL_BUT_FREE =
      """
      managedJobsNamespaceSelector:
        matchExpressions:
          - {key: free, operator: DoesNotExist}
          - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, kueue-system]}
      """;

  /** Two Workloads of one Job would take its quota twice, and start it and stop it in turns. */
  @Test
  void aJobThatComesToNameAPrebuiltWorkloadLeavesItsOwn() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);
      built(cluster);
      cluster.settle();

      patch(cluster, prebuilt("\"built\""));

      cluster.awaitThat("one Workload is left", world -> world.workloads().size() == 1);
      cluster.awaitThat("the one that it names runs it", world -> admitted(world, "built"));
      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void aPrebuiltWorkloadThatItsJobLeavesIsOutOfSync() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      built(cluster);
      cluster.job("job", 1);
      patch(cluster, prebuilt("\"built\""));
      cluster.awaitThat("it runs on it", world -> admitted(world, "built"));
      cluster.awaitSuspended("job", false);

      patch(cluster, prebuilt("null"));

      cluster.awaitThat(
          "it is out of sync",
          world ->
              world
                  .api
                  .get(KueueTypes.WORKLOAD, TestCluster.key("built"))
                  .filter(found -> TestCluster.isTrue(found, WorkloadConditions.FINISHED))
                  .isPresent());
      cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
    }
  }

  /** The Job controller leaves the time of the first start, with which no template can change. */
  @Test
  void aJobThatRanOnItsOwnAndWasSuspendedCanBeQueued() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      cluster.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: job, namespace: %s}
          spec:
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 1}}}]}
          """
              .formatted(TestCluster.NAMESPACE));
      cluster.podsRun("job");
      patch(cluster, "{\"spec\": {\"suspend\": true}}");
      cluster.podsGone("job");

      patch(cluster, "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"lq\"}}}");

      cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
      cluster.settle();
      assertThat(TestCluster.isTrue(cluster.workload("job"), WorkloadConditions.FINISHED))
          .isFalse();
    }
  }

  /** A Workload that is deleted is made anew, and would fail to start again, for ever. */
  @Test
  void theWorkloadOfAJobThatCannotStartIsKeptAsLongAsTheJob() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore("objectRetentionPolicies: {workloads: {afterFinished: 0s}}\n");

      impossible(cluster);

      failedToStart(cluster);
      cluster.settle();
      assertThat(
              cluster
                  .server
                  .requests()
                  .count(RequestMatcher.verbs("create").and(RequestMatcher.resource("workloads"))))
          .isEqualTo(1);
    }
  }

  @Test
  void aJobThatCouldNotStartDoesNotRunWithoutQuotaEither() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      impossible(cluster);
      failedToStart(cluster);
      cluster.settle();

      patch(cluster, "{\"spec\": {\"suspend\": false}}");

      cluster.awaitSuspended("job", true);
    }
  }

  /** As after a crash in the middle of a stop. */
  @Test
  void aJobThatIsStillMarkedAsStoppingIsStarted() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitSuspended("job", false);
      cluster.settle();

      patch(
          cluster,
          """
          {"metadata": {"annotations": {"kueue.x-k8s.io/stopping": "true"}},
           "spec": {"suspend": true}}
          """);

      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void aNamespaceThatIsKnownLaterThanItsJobsHasThemManaged() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore("managedJobsNamespaceSelector: {matchLabels: {managed: 'yes'}}\n");
      cluster.job("job", 1);
      cluster.settle();
      assertThat(cluster.workloads()).isEmpty();

      cluster.api.patch(
          CoreTypes.NAMESPACE,
          ObjectKey.cluster(TestCluster.NAMESPACE),
          TestCluster.merge("{\"metadata\": {\"labels\": {\"managed\": \"yes\"}}}"));

      cluster.awaitWorkload("job", TestCluster::admitted);
    }
  }

  /** DoesNotExist would match a namespace whose labels are only not known yet. */
  @Test
  void jobsInANamespaceThatIsNotKnownYetWait() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=9");
      cluster.startCore(ALL_BUT_FREE);
      Fault silence = cluster.silence("namespaces");
      for (String namespace : List.of("free", "bound")) {
        cluster.apply(
            "{apiVersion: v1, kind: Namespace, metadata: {name: %1$s, labels: {%1$s: 'yes'}}}"
                .formatted(namespace));
        cluster.apply(TestJob.named("job").queue("lq").cpus(1).yaml().replace("team", namespace));
      }

      cluster.settle();
      assertThat(allWorkloads(cluster)).isEmpty();

      silence.close();
      cluster.awaitThat("one is managed", there -> !allWorkloads(there).isEmpty());
      cluster.settle();
      assertThat(allWorkloads(cluster)).containsExactly("bound");
    }
  }

  private static List<String> allWorkloads(TestCluster cluster) {
    return cluster.api.list(KueueTypes.WORKLOAD, ListOptions.all()).items().stream()
        .map(workload -> ObjectKey.of(workload).namespace())
        .toList();
  }

  /** The webhook reads what the cache doesn't have. */
  @Test
  void aNewJobInAnUnmanagedNamespaceThatIsNotCachedYetRuns() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.startCoreReviewingJobs(ALL_BUT_FREE);
      cluster.silence("namespaces");
      for (String namespace : List.of("free", "bound")) {
        cluster.apply(
            "{apiVersion: v1, kind: Namespace, metadata: {name: %1$s, labels: {%1$s: 'yes'}}}"
                .formatted(namespace));
        V1Job job = read(V1Job.class, TestJob.named("job").queue("lq").cpus(1).yaml());
        job.getMetadata().setNamespace(namespace);
        job.getSpec().setSuspend(false);
        cluster.api.create(CoreTypes.JOB, job);
      }

      assertThat(suspended(cluster, "free")).isFalse();
      assertThat(suspended(cluster, "bound")).isTrue();
    }
  }

  private static boolean suspended(TestCluster cluster, String namespace) {
    return Boolean.TRUE.equals(
        cluster
            .api
            .get(CoreTypes.JOB, new ObjectKey(namespace, "job"))
            .orElseThrow()
            .getSpec()
            .getSuspend());
  }

  private static String prebuilt(String name) {
    return "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/prebuilt-workload-name\": %s}}, \"spec\": {\"suspend\": true}}"
        .formatted(name);
  }

  private static void built(TestCluster cluster) {
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
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 1}}}]}
        """);
  }

  private static boolean admitted(TestCluster cluster, String workload) {
    return cluster
        .api
        .get(KueueTypes.WORKLOAD, TestCluster.key(workload))
        .filter(TestCluster::admitted)
        .isPresent();
  }

  /** The label is the core's own, and set to something else. */
  private static void impossible(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: job, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          suspend: true
          template:
            metadata: {labels: {kueue.x-k8s.io/podset: mine}}
            spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
        """);
  }

  private static void failedToStart(TestCluster cluster) {
    Workload finished =
        cluster.awaitWorkload(
            "job", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
    assertThat(TestCluster.condition(finished, WorkloadConditions.FINISHED).reason())
        .isEqualTo("FailedToStart");
  }

  private static void patch(TestCluster cluster, String json) {
    cluster.api.patch(CoreTypes.JOB, TestCluster.key("job"), TestCluster.merge(json));
  }
}
