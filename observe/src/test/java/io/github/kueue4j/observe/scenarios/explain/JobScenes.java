// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.runtime.client.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Workloads that wait for their Job, its pods, or a user. */
final class JobScenes {
  private JobScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of("running", "job/job", cluster -> World.running(cluster, ""))
            .shows(Reason.RUNNING, Actor.NONE, "active 1"),
        Scene.of(
                "finished",
                "job/job",
                cluster -> {
                  World.running(cluster, "");
                  cluster.jobSucceeds("job");
                  cluster.awaitWorkload(
                      "job", workload -> TestCluster.isTrue(workload, WorkloadConditions.FINISHED));
                })
            .shows(Reason.FINISHED, Actor.NONE, "Succeeded"),
        Scene.of(
                "a suspended Job without a queue",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(TestJob.named("job").yaml());
                  cluster.settle();
                })
            .shows(Reason.JOB_NOT_MANAGED, Actor.WORKLOAD_OWNER, "kubectl label job"),
        Scene.of(
                "a Job for MultiKueue",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(
                      TestJob.named("job")
                          .queue("lq")
                          .managedBy("kueue.x-k8s.io/multikueue")
                          .yaml());
                  cluster.pass(Duration.ofMinutes(3));
                })
            .shows(Reason.NOT_SUPPORTED, Actor.WORKLOAD_OWNER, "spec.managedBy", "anew"),
        Scene.of(
                "a priority class that doesn't exist",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.apply(TestJob.named("job").queue("lq").priority("urgent").yaml());
                  cluster.settle();
                })
            .shows(Reason.PRIORITY_CLASS_MISSING, Actor.WORKLOAD_OWNER, "urgent"),
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
            .shows(Reason.JOB_STOPPING, Actor.CLUSTER_OPERATOR, "active 1"),
        Scene.of(
                "a Job in a namespace that the core excludes",
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
                Actor.CORE_OPERATOR,
                "kube-system",
                "managedJobsNamespaceSelector"),
        Scene.of(
                "admitted, but the Job can't be started",
                "job/job",
                cluster -> {
                  cluster.failNextPatches(1000, "jobs", 500);
                  World.queue(cluster, "", "default=1");
                  cluster.job("job", 1);
                  cluster.awaitWorkload("job", TestCluster::admitted);
                  cluster.advance(Duration.ofMinutes(1));
                })
            .shows(Reason.JOB_NOT_STARTED, Actor.CORE_OPERATOR, "suspend true", "1m ago"),
        Scene.of(
                "started, but without pods",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  cluster.job("job", 1);
                  cluster.awaitSuspended("job", false);
                })
            .shows(Reason.PODS_NOT_CREATED, Actor.CLUSTER_OPERATOR, "active 0"),
        Scene.of(
                "pods that don't fit on any node",
                "job/job",
                cluster -> {
                  World.running(cluster, "");
                  World.patchStatus(
                      cluster,
                      CoreTypes.JOB,
                      TestCluster.key("job"),
                      "{\"status\": {\"ready\": 0}}");
                  pod(
                      cluster,
                      "0/1 nodes are available: 1 node(s) had untolerated taint"
                          + " {node.kubernetes.io/unreachable: }");
                })
            .shows(
                Reason.PODS_NOT_READY,
                Actor.CLUSTER_OPERATOR,
                "no node takes",
                "Pod/team/job-1",
                "0/1 nodes are available"),
        Scene.of(
                "pods that ask for nodes that there aren't",
                "job/job",
                cluster -> {
                  World.running(cluster, "");
                  World.patchStatus(
                      cluster,
                      CoreTypes.JOB,
                      TestCluster.key("job"),
                      "{\"status\": {\"ready\": 0}}");
                  pod(
                      cluster,
                      "0/3 nodes are available: 3 node(s) didn't match Pod's node"
                          + " affinity/selector");
                })
            .shows(
                Reason.PODS_NOT_READY,
                Actor.WORKLOAD_OWNER,
                "Pod/team/job-1",
                "0/3 nodes are available"),
        Scene.of(
                "deactivated by a user",
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
            .shows(Reason.DEACTIVATED_BY_USER, Actor.WORKLOAD_OWNER, "\"active\":true"),
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
            .shows(Reason.DEACTIVATED_BY_LIMIT, Actor.WORKLOAD_OWNER, "maximum execution time"),
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
            .shows(
                Reason.PODS_READY_BACKOFF,
                Actor.WORKLOAD_OWNER,
                "PodsReadyTimeout",
                "It queues again by itself.")
            .wakesIn(Duration.ofSeconds(19)),
        Scene.of(
                "pods that did not get ready in time, and a check that has become inactive since",
                "job/job",
                cluster -> {
                  World.running(
                      cluster,
                      "waitForPodsReady: {timeout: 5m, requeuingStrategy: {backoffBaseSeconds: 19}}, "
                          + World.ONE_CHECK,
                      "budget");
                  cluster.advance(Duration.ofMinutes(5));
                  cluster.awaitSuspended("job", true);
                  cluster.podsGone("job");
                  cluster.awaitWorkload("job", workload -> !TestCluster.reserved(workload));
                  CheckScenes.inactive(cluster, "budget");
                })
            .shows(
                Reason.PODS_READY_BACKOFF,
                Actor.CHECK_OPERATOR,
                "no such parameters",
                "It gets no quota before these are active: AdmissionCheck budget. Then it queues again")
            .wakesIn(Duration.ofSeconds(19)),
        Scene.of(
                "being deleted while another controller's finalizer remains",
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
            .shows(Reason.DELETING, Actor.NONE, "example.com/archive"));
  }

  private static void pod(TestCluster cluster, String unplaced) {
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
          "reason": "Unschedulable", "message": "%s"}]}}
        """
            .formatted(unplaced));
  }
}
