/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.scenarios.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.MergePatch;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What users do to their Jobs before and while they run. */
class JobChangesTest {
  @Test
  void aSuspendedJobCanMoveToAnotherQueue() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.apply(
          """
          apiVersion: batch/v1
          kind: Job
          metadata: {name: job, namespace: team, labels: {kueue.x-k8s.io/queue-name: nowhere}}
          spec:
            suspend: true
            template:
              spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
                resources: {requests: {cpu: 1}}}]}
          """);
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
      cluster.time.advance(Duration.ofSeconds(5));
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
