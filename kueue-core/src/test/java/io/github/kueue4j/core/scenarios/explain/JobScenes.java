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
package io.github.kueue4j.core.scenarios.explain;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.explain.Party;
import io.github.kueue4j.core.explain.Reason;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.testkit.traffic.RequestMatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** The Job, its pods, or a person. */
final class JobScenes {
  private JobScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of("running", "job/job", cluster -> World.running(cluster, ""))
            .shows(Reason.RUNNING, Party.NOBODY, "active 1"),
        Scene.of(
                "finished",
                "job/job",
                cluster -> {
                  World.running(cluster, "");
                  cluster.jobSucceeds("job");
                  cluster.awaitWorkload(
                      "job", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
                })
            .shows(Reason.FINISHED, Party.NOBODY, "Succeeded"),
        Scene.of(
                "a suspended Job without a queue",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(
                      """
                      apiVersion: batch/v1
                      kind: Job
                      metadata: {name: job, namespace: team}
                      spec:
                        suspend: true
                        template:
                          spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
                      """);
                  cluster.settle();
                })
            .shows(Reason.JOB_NOT_MANAGED, Party.WORKLOAD_OWNER, "kubectl label job"),
        Scene.of(
                "a priority class that doesn't exist",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(
                      """
                      apiVersion: batch/v1
                      kind: Job
                      metadata:
                        name: job
                        namespace: team
                        labels:
                          kueue.x-k8s.io/queue-name: lq
                          kueue.x-k8s.io/priority-class: urgent
                      spec:
                        suspend: true
                        template:
                          spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
                      """);
                  cluster.settle();
                })
            .shows(Reason.PRIORITY_CLASS_MISSING, Party.WORKLOAD_OWNER, "urgent"),
        Scene.of(
                "a Job that was running before it was queued",
                "job/job",
                cluster -> {
                  cluster.queue("", "default=1");
                  cluster.job("job", 1, "", false);
                  cluster.podsRun("job");
                  cluster.startCore();
                  cluster.awaitSuspended("job", true);
                })
            .shows(Reason.JOB_STOPPING, Party.CLUSTER_OPERATOR, "active 1"),
        Scene.of(
                "a Job in a namespace that the core leaves out",
                "kube-system:job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(
                      """
                      apiVersion: v1
                      kind: Namespace
                      metadata: {name: kube-system}
                      ---
                      apiVersion: batch/v1
                      kind: Job
                      metadata:
                        name: job
                        namespace: kube-system
                        labels: {kueue.x-k8s.io/queue-name: lq}
                      spec:
                        suspend: true
                        template:
                          spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
                      """);
                  cluster.pass(Duration.ofMinutes(3));
                })
            .shows(
                Reason.WORKLOAD_NOT_CREATED,
                Party.CORE_OPERATOR,
                "kube-system",
                "managedJobsNamespaceSelector"),
        Scene.of(
                "admitted, but the Job can't be started",
                "job/job",
                cluster -> {
                  cluster
                      .server
                      .faults()
                      .failNext(
                          1000,
                          RequestMatcher.verbs("patch").and(RequestMatcher.resource("jobs")),
                          500);
                  World.queue(cluster, "", "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", TestCluster::admitted);
                  cluster.advance(Duration.ofMinutes(1));
                })
            .shows(Reason.JOB_NOT_STARTED, Party.CORE_OPERATOR, "suspend true", "1m ago"),
        Scene.of(
                "started, but without pods",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.job("job", 1);
                  cluster.awaitSuspended("job", false);
                })
            .shows(Reason.PODS_NOT_CREATED, Party.CLUSTER_OPERATOR, "active 0"),
        Scene.of(
                "pods that no node has room for",
                "job/job",
                cluster -> {
                  World.running(cluster, "");
                  World.patchStatus(
                      cluster,
                      CoreTypes.JOB,
                      TestCluster.key("job"),
                      "{\"status\": {\"ready\": 0}}");
                  pod(cluster);
                })
            .shows(
                Reason.PODS_NOT_READY,
                Party.WORKLOAD_OWNER,
                "Pod/team/job-1",
                "0/3 nodes are available"),
        Scene.of(
                "deactivated by a person",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.job("job", 2);
                  ObjectKey key = ObjectKey.of(cluster.workload("job"));
                  World.patch(cluster, KueueTypes.WORKLOAD, key, "{\"spec\": {\"active\": false}}");
                  cluster.awaitWorkload(
                      "job",
                      workload ->
                          workload.status().conditions().stream()
                              .anyMatch(condition -> condition.reason().equals("Deactivated")));
                })
            .shows(Reason.DEACTIVATED_BY_USER, Party.WORKLOAD_OWNER, "\"active\":true"),
        Scene.of(
                "deactivated by a limit",
                "job/job",
                cluster -> {
                  cluster.startCore();
                  cluster.job("job", 1);
                  World.patch(
                      cluster,
                      CoreTypes.JOB,
                      TestCluster.key("job"),
                      "{\"metadata\": {\"labels\":"
                          + " {\"kueue.x-k8s.io/max-exec-time-seconds\": \"60\"}}}");
                  cluster.awaitWorkload(
                      "job", workload -> workload.spec().maximumExecutionTimeSeconds() != null);
                  cluster.queue("", "default=1");
                  cluster.awaitSuspended("job", false);
                  cluster.settle();
                  cluster.advance(Duration.ofSeconds(60));
                  cluster.awaitSuspended("job", true);
                })
            .shows(Reason.DEACTIVATED_BY_LIMIT, Party.WORKLOAD_OWNER, "maximum execution time"),
        Scene.of(
                "pods that did not get ready in time",
                "job/job",
                cluster -> {
                  World.running(
                      cluster,
                      "waitForPodsReady: {timeout: 5m, requeuingStrategy: {backoffBaseSeconds: 19}}");
                  cluster.advance(Duration.ofMinutes(5));
                  cluster.awaitSuspended("job", true);
                  cluster.podsGone("job");
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                })
            .shows(Reason.PODS_READY_BACKOFF, Party.WORKLOAD_OWNER, "PodsReadyTimeout")
            .wakesIn(Duration.ofSeconds(19)),
        Scene.of(
                "being deleted while somebody's finalizer is still there",
                "WORKLOAD",
                cluster -> {
                  World.running(cluster, "");
                  ObjectKey key = ObjectKey.of(cluster.workload("job"));
                  World.patch(
                      cluster,
                      KueueTypes.WORKLOAD,
                      key,
                      "{\"metadata\": {\"finalizers\": [\"example.com/archive\"]}}");
                  cluster.api.delete(KueueTypes.WORKLOAD, key, DeleteOptions.background());
                  cluster.settle();
                })
            .shows(Reason.DELETING, Party.NOBODY, "example.com/archive"));
  }

  private static void pod(TestCluster cluster) {
    String uid =
        Objects.requireNonNull(Objects.requireNonNull(cluster.job("job").getMetadata()).getUid());
    cluster.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: job-1
          namespace: team
          labels: {job-name: job}
          ownerReferences: [{apiVersion: batch/v1, kind: Job, name: job, uid: %s, controller: true}]
        spec: {containers: [{name: main, image: busybox}]}
        """
            .formatted(uid));
    World.patchStatus(
        cluster,
        CoreTypes.POD,
        TestCluster.key("job-1"),
        """
        {"status": {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False",
          "reason": "Unschedulable", "message": "0/3 nodes are available"}]}}
        """);
  }
}
