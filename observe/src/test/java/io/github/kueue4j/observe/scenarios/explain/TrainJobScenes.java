// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.jobs.TrainJob;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.runtime.client.DeleteOptions;
import java.time.Duration;
import java.util.List;

/** TrainJobs, and their JobSets. */
final class TrainJobScenes {
  private static final ObjectKey TRAIN = TestCluster.key("train");

  private TrainJobScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a TrainJob whose JobSet doesn't exist yet",
                "trainjob/train",
                TrainJobScenes::trainJob)
            .shows(
                Reason.WORKLOAD_NOT_CREATED,
                Actor.CLUSTER_OPERATOR,
                "The TrainJob can't be queued yet: its JobSet train doesn't exist yet",
                "Look at the controller of TrainJobs"),
        Scene.of(
                "a TrainJob whose JobSet may not be read",
                "trainjob/train",
                cluster -> {
                  trainJob(cluster);
                  forbidJobSets(cluster);
                })
            .shows(
                Reason.WORKLOAD_NOT_CREATED,
                Actor.CLUSTER_OPERATOR,
                "The TrainJob has no Workload; its pods can't be seen from here",
                "that needs get of jobsets.jobset.x-k8s.io in the namespace team"),
        Scene.of(
                "an admitted TrainJob that is suspended, and whose JobSet may not be read",
                "trainjob/train",
                cluster -> {
                  trainJob(cluster);
                  madeByTrainer(cluster);
                  cluster.awaitThat(
                      "it is admitted",
                      world -> world.workloads().stream().anyMatch(TestCluster::admitted));
                  cluster.settle();
                  cluster.crashCore();
                  cluster.api.patch(
                      TrainJob.TYPE, TRAIN, TestCluster.merge("{\"spec\": {\"suspend\": true}}"));
                  forbidJobSets(cluster);
                  cluster.advance(Duration.ofMinutes(1));
                })
            .shows(
                Reason.JOB_NOT_STARTED,
                Actor.CORE_OPERATOR,
                "but its TrainJob is still suspended; its pods can't be seen from here",
                "that needs get of jobsets.jobset.x-k8s.io in the namespace team"),
        Scene.of(
                "a queued TrainJob whose JobSet is gone",
                "trainjob/train",
                cluster -> {
                  trainJob(cluster);
                  cluster.queue("", "default=0");
                  madeByTrainer(cluster);
                  cluster.awaitThat("it is queued", world -> world.workloads().size() == 1);
                  cluster.api.delete(JobSet.TYPE, TRAIN, DeleteOptions.background());
                  cluster.settle();
                })
            .shows(
                Reason.PODS_UNKNOWN,
                Actor.CLUSTER_OPERATOR,
                "stays out of its queue until the pods of its TrainJob are known: its JobSet train",
                "Look at the controller of TrainJobs"),
        Scene.of(
                "an admitted TrainJob whose JobSet is gone",
                "trainjob/train",
                cluster -> {
                  cluster.check("budget");
                  trainJob(cluster);
                  cluster.queue(World.ONE_CHECK, "default=1");
                  madeByTrainer(cluster);
                  cluster.awaitThat(
                      "it is reserved",
                      world -> world.workloads().stream().anyMatch(TestCluster::reserved));
                  cluster.api.delete(JobSet.TYPE, TRAIN, DeleteOptions.background());
                  cluster.settle();
                  cluster.answerBare(
                      cluster.workloads().getFirst().metadata().getName(),
                      "budget",
                      CheckState.READY,
                      null);
                  cluster.awaitThat(
                      "it is admitted",
                      world -> TestCluster.admitted(world.workloads().getFirst()));
                })
            .shows(
                Reason.JOB_NOT_STARTED,
                Actor.CLUSTER_OPERATOR,
                "but its TrainJob can't be started yet: its JobSet train",
                "Look at the controller of TrainJobs"),
        Scene.of(
                "an admitted TrainJob whose start was refused after its first write",
                "trainjob/train",
                cluster -> {
                  trainJob(cluster);
                  cluster.queue("", "default=1");
                  madeByTrainer(cluster);
                  cluster.awaitThat(
                      "it is admitted",
                      world -> world.workloads().stream().anyMatch(TestCluster::admitted));
                  cluster.settle();
                  cluster.crashCore();
                  cluster.api.patch(
                      TrainJob.TYPE, TRAIN, TestCluster.merge("{\"spec\": {\"suspend\": true}}"));
                  cluster.api.patch(
                      JobSet.TYPE, TRAIN, TestCluster.merge("{\"spec\": {\"suspend\": false}}"));
                  cluster.advance(Duration.ofMinutes(1));
                })
            .shows(
                Reason.JOB_NOT_STARTED,
                Actor.CORE_OPERATOR,
                "but its TrainJob is still suspended",
                "the API server may refuse its start (StartRefused)"),
        Scene.of(
                "a JobSet that names a queue, of a TrainJob that names none",
                "jobset/train",
                cluster -> {
                  trainJob(cluster, "", "");
                  madeByTrainer(cluster);
                  nameQueue(cluster);
                  cluster.settle();
                })
            .shows(
                Reason.NOT_SUPPORTED,
                Actor.WORKLOAD_OWNER,
                "The JobSet names the queue lq, and runs without quota, since it has the pods of"
                    + " TrainJob train, which isn't queued",
                "Set the label kueue.x-k8s.io/queue-name of TrainJob train"),
        Scene.of(
                "a JobSet that names a queue, of a queued TrainJob",
                "jobset/train",
                cluster -> {
                  trainJob(cluster);
                  cluster.queue("", "default=0");
                  madeByTrainer(cluster);
                  cluster.awaitThat("it is queued", world -> world.workloads().size() == 1);
                  nameQueue(cluster);
                  cluster.settle();
                })
            .shows(Reason.EXCEEDS_QUOTA, Actor.WORKLOAD_OWNER, "more than the whole quota"),
        Scene.of(
                "a JobSet that names a queue, of a TrainJob that is managed without one",
                "jobset/train",
                cluster -> {
                  trainJob(cluster, "manageJobsWithoutQueueName: true\n", "");
                  madeByTrainer(cluster);
                  cluster.awaitThat("it has a Workload", world -> world.workloads().size() == 1);
                  nameQueue(cluster);
                  cluster.settle();
                })
            .shows(Reason.NO_QUEUE_NAME, Actor.WORKLOAD_OWNER));
  }

  private static void nameQueue(TestCluster cluster) {
    World.patch(
        cluster,
        JobSet.TYPE,
        TRAIN,
        "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"lq\"}}}");
  }

  private static void trainJob(TestCluster cluster) {
    trainJob(cluster, "", "kueue.x-k8s.io/queue-name: lq");
  }

  private static void trainJob(TestCluster cluster, String configuration, String labels) {
    World.serve(cluster, TrainJob.TYPE);
    World.start(
        cluster,
        configuration
            + "integrations: {frameworks: [jobset.x-k8s.io/jobset, trainer.kubeflow.org/trainjob]}\n");
    cluster.apply(
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: train, namespace: team, labels: {%s}}
        spec: {suspend: true, runtimeRef: {name: torch}}
        """
            .formatted(labels));
  }

  /** To all but the core. */
  private static void forbidJobSets(TestCluster cluster) {
    cluster
        .server
        .faults()
        .failNext(
            Integer.MAX_VALUE,
            RequestMatcher.verbs("get")
                .and(RequestMatcher.resource("jobsets"))
                .and(request -> !request.userAgent().contains("kueue-core")),
            403);
  }

  private static void madeByTrainer(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: train, namespace: team, ownerReferences: [{kind: TrainJob, name: train,
          apiVersion: trainer.kubeflow.org/v1alpha1, uid: %s, controller: true}]}
        spec: {suspend: true, replicatedJobs: [{name: node, template: {spec: {template: {spec: {
          restartPolicy: Never, containers: [{name: main, image: busybox,
            resources: {requests: {cpu: 1}}}]}}}}}]}
        """
            .formatted(cluster.api.get(TrainJob.TYPE, TRAIN).orElseThrow().metadata().getUid()));
  }
}
