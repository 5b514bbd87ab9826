// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What users do to their Jobs before and while they run. */
@Simulated
class JobChangesTest {
  @Test
  void aSuspendedJobCanMoveToAnotherQueue() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.apply(TestJob.named("job").queue("nowhere").cpus(1).yaml());
      cluster.startCore();
      assertThat(cluster.workload("job").spec().queueName()).isEqualTo("nowhere");

      cluster.api.patch(
          CoreTypes.JOB,
          TestCluster.key("job"),
          merge("{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"lq\"}}}"));

      Workload moved = cluster.awaitWorkload("job", TestCluster::admitted);
      assertThat(moved.spec().queueName()).isEqualTo("lq");
      cluster.awaitSuspended("job", false);
    }
  }

  @Test
  void aJobThatContradictsItsFlavorIsDeclaredFailed() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      // The flavor's toleration is fine; a label that the core sets is taken by the user.
      cluster.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: job, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
          spec:
            suspend: true
            template:
              metadata: {labels: {kueue.x-k8s.io/podset: mine}}
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 1}}}]}
          """);
      cluster.startCore();

      Workload failed =
          cluster.awaitWorkload(
              "job", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
      assertThat(TestCluster.condition(failed, WorkloadConditions.FINISHED))
          .satisfies(
              condition -> {
                assertThat(condition.reason()).isEqualTo("FailedToStart");
                assertThat(condition.message())
                    .isEqualTo(
                        "pod set main: label kueue.x-k8s.io/podset is \"mine\" for the pod"
                            + " template, but \"main\" for the core");
              });
      cluster.job("next", 1);
      cluster.awaitWorkload("next", TestCluster::admitted);
    }
  }

  @Test
  void aJobThatTheServerRefusesToStartIsDeclaredFailed() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.failNextPatches(1, "jobs", 422);
      cluster.job("job", 1);

      Workload failed =
          cluster.awaitWorkload(
              "job", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));

      assertThat(TestCluster.condition(failed, WorkloadConditions.FINISHED).reason())
          .isEqualTo("FailedToStart");
      cluster.job("next", 1);
      cluster.awaitSuspended("next", false);
    }
  }

  @Test
  void aWorkloadThatLostItsOwnerGivesItsQuotaBack() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      ObjectKey orphan = ObjectKey.of(cluster.awaitWorkload("job", TestCluster::admitted));
      cluster.awaitSuspended("job", false);

      cluster.api.delete(
          CoreTypes.JOB,
          TestCluster.key("job"),
          DeleteOptions.background().withPropagation(DeleteOptions.Propagation.ORPHAN));

      cluster.awaitThat(
          "it is finished",
          world ->
              world
                  .api
                  .get(KueueTypes.WORKLOAD, orphan)
                  .filter(found -> TestCluster.isTrue(found, WorkloadConditions.FINISHED))
                  .map(found -> TestCluster.condition(found, WorkloadConditions.FINISHED).reason())
                  .filter("OwnerNotFound"::equals)
                  .isPresent());
      cluster.job("next", 1);
      cluster.awaitSuspended("next", false);
    }
  }

  /** Its pods still use what others would get. */
  @Test
  void aDeletedWorkloadStaysUntilThePodsOfItsJobAreGone() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      ObjectKey deleted = ObjectKey.of(cluster.awaitWorkload("job", TestCluster::admitted));
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.job("next", 1);
      cluster.workload("next");
      cluster.settle();

      cluster.api.delete(KueueTypes.WORKLOAD, deleted, DeleteOptions.background());
      cluster.awaitSuspended("job", true);
      cluster.settle();
      assertThat(cluster.api.get(KueueTypes.WORKLOAD, deleted)).isPresent();
      assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();

      cluster.podsGone("job");
      cluster.awaitWorkload("next", TestCluster::admitted);
    }
  }

  /** The Job waits for its Workload to be deleted first; its pods are no longer counted. */
  @Test
  void aJobThatIsDeletedAfterItsDependentsDoesNotWaitForItself() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      cluster.awaitWorkload("job", TestCluster::admitted);
      cluster.awaitSuspended("job", false);
      cluster.podsRun("job");
      cluster.settle();

      cluster.api.delete(
          CoreTypes.JOB,
          TestCluster.key("job"),
          DeleteOptions.background().withPropagation(DeleteOptions.Propagation.FOREGROUND));

      cluster.awaitThat("the Workload is gone", world -> world.workloads().isEmpty());
      cluster.awaitThat(
          "the Job is gone",
          world -> world.api.get(CoreTypes.JOB, TestCluster.key("job")).isEmpty());
      cluster.job("next", 1);
      cluster.awaitWorkload("next", TestCluster::admitted);
    }
  }

  /** The watch is silent, so that the cache shows a Job that runs for ever. */
  @Test
  void aJobThatIsGoneButStillCachedDoesNotKeepItsWorkload() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore();
      cluster.job("job", 1);
      ObjectKey left = ObjectKey.of(cluster.awaitWorkload("job", TestCluster::admitted));
      cluster.awaitSuspended("job", false);
      cluster.settle();

      cluster.silence("jobs");
      cluster.delete("job");

      cluster.awaitThat(
          "the Workload is gone", world -> world.api.get(KueueTypes.WORKLOAD, left).isEmpty());
    }
  }

  /** The scheduler's watch is silent: it decides about a Workload that asks for more by now. */
  @Test
  void aDecisionAboutOtherPodsIsNotCarriedOut() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=0");
      cluster.startCore();
      cluster.apply(
          """
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: Workload
          metadata: {name: bare, namespace: team}
          spec:
            queueName: lq
            podSets:
            - name: main
              count: 1
              template: {spec: {containers: [{name: c, image: busybox,
                resources: {requests: {cpu: 1}}}]}}
          """);
      cluster.settle();
      cluster.silence("workloads");
      cluster.api.patch(
          KueueTypes.WORKLOAD,
          TestCluster.key("bare"),
          merge(
              """
              {"spec": {"podSets": [{"name": "main", "count": 5, "template": {"spec": {
                "containers": [{"name": "c", "image": "busybox",
                  "resources": {"requests": {"cpu": "1"}}}]}}}]}}
              """));

      cluster.queue("", "default=1");
      cluster.settle();

      assertThat(
              cluster
                  .server
                  .requests()
                  .count(
                      RequestMatcher.verbs("get")
                          .and(RequestMatcher.resource("workloads"))
                          .and(request -> request.userAgent().contains("kueue-core"))))
          .as("the core has tried")
          .isPositive();
      assertThat(
              TestCluster.reserved(
                  cluster.api.get(KueueTypes.WORKLOAD, TestCluster.key("bare")).orElseThrow()))
          .isFalse();
    }
  }

  @Test
  void deletingAJobInAnyPhaseLeavesNothingBehind() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=2");
      cluster.startCore();
      cluster.job("running", 1);
      cluster.answer("running", "budget", CheckState.READY, null);
      cluster.awaitSuspended("running", false);
      cluster.podsRun("running");
      cluster.job("reserved", 1);
      cluster.awaitWorkload("reserved", TestCluster::reserved);
      cluster.job("pending", 1);
      cluster.workload("pending");
      cluster.settle();

      for (String job : new String[] {"running", "reserved", "pending"}) {
        cluster.delete(job);
      }

      cluster.awaitThat("all Workloads are gone", world -> world.workloads().isEmpty());
      cluster.advance(Duration.ofSeconds(5));
      cluster.awaitThat(
          "nothing is counted any more",
          world ->
              Integer.valueOf(0).equals(world.clusterQueue().status().reservingWorkloads())
                  && Integer.valueOf(0).equals(world.clusterQueue().status().pendingWorkloads())
                  && Integer.valueOf(0).equals(world.localQueue().status().reservingWorkloads()));
    }
  }

  @Test
  void jobsElsewhereAndJobsWithoutQueueAreLeftAlone() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}");
      String job =
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: %s, namespace: %s, labels: {%s}}
          spec:
            suspend: false
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
          """;
      cluster.startCore();
      cluster.apply(job.formatted("free", "team", ""));
      cluster.apply(job.formatted("system", "kube-system", "kueue.x-k8s.io/queue-name: lq"));
      cluster.job("managed", 1);
      cluster.awaitWorkload("managed", TestCluster::admitted);
      cluster.settle();

      assertThat(cluster.workloads()).hasSize(1);
      cluster.awaitSuspended("free", false);
    }
  }

  private static MergePatch merge(String json) {
    return new MergePatch(JsonParser.parseString(json).getAsJsonObject());
  }
}
