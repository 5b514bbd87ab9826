// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.jobs.TrainJob;
import io.github.kueue4j.jobs.UnmanagedKind;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.testdefaults.TestLog;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.event.Level;

/** JobSets, Jobs that belong to them, and Jobs that name their Workload themselves. */
final class KindScenes {
  /** When it is told that a controller doesn't heed a suspension. */
  private static final Duration UNHEEDED = Duration.ofMinutes(5);

  private static final ObjectKey TRAIN = TestCluster.key("train");

  private static final String RAY_CLUSTER =
      "{headGroupSpec: {template: {spec: {containers: [{name: main, image: busybox}]}}}}";

  private KindScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a JobSet that requests too much",
                "jobset/set",
                cluster -> {
                  start(cluster, JobSets.FRAMEWORKS);
                  jobSet(cluster, 2);
                })
            .shows(Reason.EXCEEDS_QUOTA, Actor.WORKLOAD_OWNER, "2"),
        Scene.of(
                "a JobSet by its bare name",
                "set",
                cluster -> {
                  start(cluster, JobSets.FRAMEWORKS);
                  jobSet(cluster, 2);
                })
            .shows(Reason.EXCEEDS_QUOTA, Actor.WORKLOAD_OWNER, "2"),
        Scene.of(
                "a Job of a JobSet waits for what the JobSet waits for",
                "job/set-workers-0",
                cluster -> {
                  start(cluster, JobSets.FRAMEWORKS);
                  jobSet(cluster, 2);
                  JobSets.createJob(
                      cluster,
                      "workers",
                      true,
                      "{spec: {restartPolicy: Never, containers: [{name: main, image: busybox,"
                          + " resources: {requests: {cpu: 2}}}]}}");
                })
            .shows(Reason.EXCEEDS_QUOTA, Actor.WORKLOAD_OWNER, "2"),
        Scene.of(
                "a JobSet of a core whose configuration excludes the kind",
                "jobset/set",
                cluster -> {
                  start(cluster, "");
                  jobSet(cluster, 1);
                  cluster.pass(Duration.ofMinutes(3));
                })
            .shows(
                Reason.WORKLOAD_NOT_CREATED,
                Actor.CORE_OPERATOR,
                "The JobSet has waited",
                "the kind JobSet",
                "integrations.frameworks"),
        Scene.of(
                "a JobSet whose Jobs are not ready",
                "jobset/set",
                cluster -> {
                  start(cluster, JobSets.FRAMEWORKS);
                  jobSet(cluster, 1);
                  cluster.awaitThat("it runs", world -> !JobSets.suspended(world));
                  JobSets.patchStatus(
                      cluster,
                      "{\"replicatedJobsStatus\": [" + JobSets.group("workers", 1, 0) + "]}");
                  cluster.settle();
                })
            .shows(
                Reason.PODS_NOT_READY,
                Actor.WORKLOAD_OWNER,
                "its JobSet has been started",
                "JobSet/team/set",
                "Jobs active 1, ready 0"),
        Scene.of(
                "a JobSet that was evicted, and whose controller doesn't heed its suspension",
                "jobset/set",
                cluster -> {
                  TestLog.possible(
                      Level.WARN,
                      "UnheededStops",
                      "A Job runs on although it was suspended",
                      "its pods don't end");
                  start(cluster, JobSets.FRAMEWORKS);
                  jobSet(cluster, 1);
                  cluster.awaitThat("it runs", world -> !JobSets.suspended(world));
                  JobSets.patchStatus(
                      cluster,
                      "{\"replicatedJobsStatus\": [" + JobSets.group("workers", 1, 1) + "]}");
                  cluster.settle();
                  cluster.api.patch(
                      KueueTypes.CLUSTER_QUEUE,
                      ObjectKey.cluster("cq"),
                      TestCluster.merge("{\"spec\": {\"stopPolicy\": \"HoldAndDrain\"}}"));
                  cluster.awaitThat("it is suspended", JobSets::suspended);
                  cluster.settle();
                  cluster.pass(UNHEEDED);
                  cluster.awaitThat(
                      "it is told",
                      world ->
                          TestCluster.isTrue(
                              world.workloads().getFirst(),
                              WorkloadConditions.SUSPENSION_UNHEEDED));
                })
            .shows(
                Reason.JOB_STILL_STOPPING,
                Actor.CLUSTER_OPERATOR,
                "runs on although it was suspended",
                "JobSet set: Its controller has not ended its pods",
                "condition kueue4j.io/SuspensionUnheeded"),
        Scene.of(
                "a Job that names a Workload which doesn't exist",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  prebuilt(cluster, "job");
                  cluster.settle();
                })
            .shows(Reason.PREBUILT_WORKLOAD_MISSING, Actor.WORKLOAD_OWNER, "planned", "not found"),
        Scene.of(
                "a Job that names the Workload of another one",
                "job/second",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  planned(cluster);
                  prebuilt(cluster, "first");
                  cluster.awaitThat(
                      "the first Job owns it",
                      world ->
                          Objects.requireNonNullElse(
                                  world
                                      .api
                                      .get(KueueTypes.WORKLOAD, TestCluster.key("planned"))
                                      .orElseThrow()
                                      .metadata()
                                      .getOwnerReferences(),
                                  List.<V1OwnerReference>of())
                              .stream()
                              .anyMatch(owner -> owner.getName().equals("first")));
                  prebuilt(cluster, "second");
                  cluster.settle();
                })
            .shows(
                Reason.WORKLOAD_OF_ANOTHER,
                Actor.WORKLOAD_OWNER,
                "planned",
                "belongs to Job first"),
        Scene.of(
                "a Job that runs on the Workload that it names",
                "job/job",
                cluster -> {
                  World.queue(cluster, "", "default=1");
                  planned(cluster);
                  prebuilt(cluster, "job");
                  cluster.awaitSuspended("job", false);
                  cluster.podsRun("job");
                  cluster.settle();
                })
            .shows(Reason.RUNNING, Actor.NONE, "Workload/team/planned", "active 1"),
        Scene.of(
                "a Deployment whose pods are queued",
                "deployment/web",
                cluster -> {
                  start(cluster, "");
                  cluster.apply(
                      """
                      apiVersion: apps/v1
                      kind: Deployment
                      metadata: {name: web, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
                      spec:
                        selector: {matchLabels: {a: b}}
                        template:
                          metadata: {labels: {a: b}}
                          spec: {containers: [{name: main, image: busybox}]}
                      """);
                })
            .shows(
                Reason.PODS_QUEUED,
                Actor.WORKLOAD_OWNER,
                "The Deployment has no Workload: each of its pods is queued by itself in lq",
                "kueue4j explain pod/NAME"),
        Scene.of(
                "a pod that names a queue",
                "pod/web",
                cluster -> {
                  start(cluster, "");
                  cluster.apply(pod("web", "labels: {kueue.x-k8s.io/queue-name: lq}"));
                })
            .shows(
                Reason.KIND_NOT_MANAGED,
                Actor.WORKLOAD_OWNER,
                "The Pod names the LocalQueue lq, but is not managed",
                "runs without quota",
                "metadata.labels[kueue.x-k8s.io/queue-name]"),
        Scene.of(
                "a pod whose group misses others",
                "pod/one",
                cluster -> {
                  start(cluster, "");
                  cluster.apply(
                      """
                      apiVersion: v1
                      kind: Pod
                      metadata:
                        name: one
                        namespace: team
                        labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/pod-group-name: g}
                        annotations: {kueue.x-k8s.io/pod-group-total-count: "3"}
                        finalizers: [kueue.x-k8s.io/managed]
                      spec:
                        schedulingGates: [{name: kueue.x-k8s.io/admission}]
                        containers: [{name: main, image: busybox}]
                      """);
                })
            .shows(
                Reason.GROUP_INCOMPLETE,
                Actor.WORKLOAD_OWNER,
                "The Pod belongs to the group g, which has 1 of its 3 pods.",
                "pod-group-total-count"),
        Scene.of(
                "a pod that has ended and never had a Workload",
                "pod/web",
                cluster -> {
                  start(cluster, "");
                  cluster.apply(pod("web", "labels: {app: web}"));
                  World.patchStatus(
                      cluster,
                      CoreTypes.POD,
                      TestCluster.key("web"),
                      "{\"status\": {\"phase\": \"Succeeded\"}}");
                })
            .shows(Reason.FINISHED, Actor.NONE, "The Pod has finished"),
        Scene.of(
                "a pod of a SparkApplication that names a queue",
                "pod/head",
                cluster -> {
                  start(cluster, "");
                  String owner =
                      object(cluster, "sparkoperator.k8s.io", "v1beta2", "SparkApplication");
                  cluster.apply(pod("head", "ownerReferences: [" + owner + "]"));
                })
            .shows(
                Reason.KIND_NOT_MANAGED,
                Actor.WORKLOAD_OWNER,
                "The SparkApplication names the LocalQueue lq, but is not managed",
                "SparkApplication/team/ray"),
        Scene.of(
                "a TrainJob whose JobSet doesn't exist yet", "trainjob/train", KindScenes::trainJob)
            .shows(
                Reason.WORKLOAD_NOT_CREATED,
                Actor.CLUSTER_OPERATOR,
                "The TrainJob can't be queued yet: its JobSet train doesn't exist yet",
                "Look at the controller of TrainJobs"),
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
                  trainJob(cluster);
                  cluster.api.patch(
                      TrainJob.TYPE,
                      TRAIN,
                      TestCluster.merge(
                          "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": null}}}"));
                  cluster.queue("", "default=1");
                  madeByTrainer(cluster);
                  cluster.api.patch(
                      JobSet.TYPE,
                      TRAIN,
                      TestCluster.merge(
                          "{\"metadata\": {\"labels\": {\"kueue.x-k8s.io/queue-name\": \"lq\"}}}"));
                  cluster.settle();
                })
            .shows(
                Reason.NOT_SUPPORTED,
                Actor.WORKLOAD_OWNER,
                "The JobSet names the queue lq, and runs without quota, since it has the pods of"
                    + " TrainJob train, which isn't queued",
                "Set the label kueue.x-k8s.io/queue-name of TrainJob train"),
        Scene.of(
                "a RayCluster whose controller has to make a Workload",
                "raycluster/ray",
                cluster -> {
                  start(cluster, "");
                  installed(cluster);
                  object(cluster, "ray.io", "v1", "RayCluster");
                })
            .shows(
                Reason.KIND_NOT_MANAGED,
                Actor.WORKLOAD_OWNER,
                "has no Workload: its own controller has to make one"),
        Scene.of(
                "a RayCluster whose controller made a Workload",
                "rayclusters.ray.io/ray",
                cluster -> {
                  start(cluster, "");
                  String owner = object(cluster, "ray.io", "v1", "RayCluster");
                  planned(cluster);
                  World.patch(
                      cluster,
                      KueueTypes.WORKLOAD,
                      TestCluster.key("planned"),
                      "{\"metadata\": {\"ownerReferences\": ["
                          + owner
                          + "]},"
                          + " \"spec\": {\"active\": false}}");
                })
            .shows(Reason.DEACTIVATED_BY_USER, Actor.WORKLOAD_OWNER, "Workload/team/planned"),
        Scene.of(
                "a RayJob whose pods run, although KubeRay doesn't call its cluster ready yet",
                "rayjob/ray",
                cluster -> {
                  startedRayJob(cluster, "Initializing");
                  rayPod(cluster, "RayJob", "head", "Running", "True");
                  rayPod(cluster, "RayJob", "worker", "Running", "False");
                })
            .shows(Reason.RUNNING, Actor.NONE, "It is running", "spec.suspend false, pods run"),
        Scene.of(
                "a RayJob whose pods have ended, and that never says that it has",
                "rayjob/ray",
                cluster -> {
                  startedRayJob(cluster, "Done"); // Not a word of its declaration.
                  rayPod(cluster, "RayJob", "head", "Succeeded", "False");
                })
            .shows(
                Reason.JOB_NOT_FINISHED,
                Actor.CLUSTER_OPERATOR,
                "have ended. It may have ended, too, but the declaration of its kind doesn't have it"
                    + " so (finished: status.jobDeploymentStatus is Complete or Failed or ValidationFailed)."),
        Scene.of(
                "a RayCluster whose pods have ended",
                "raycluster/ray",
                cluster -> {
                  started(cluster, "RayCluster", RAY_CLUSTER);
                  rayPod(cluster, "RayCluster", "head", "Failed", "False");
                })
            .shows(Reason.PODS_NOT_READY, Actor.WORKLOAD_OWNER, "not all pods are ready"),
        Scene.of(
                "a RayCluster that can't be queued",
                "raycluster/ray",
                cluster -> {
                  serve(cluster, declared("RayCluster").type());
                  start(cluster, "integrations: {frameworks: [ray.io/raycluster]}");
                  cluster.apply(
                      """
                      apiVersion: ray.io/v1
                      kind: RayCluster
                      metadata: {name: ray, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
                      spec: {suspend: true, headGroupSpec: {template: big}}
                      """);
                })
            .shows(
                Reason.NOT_SUPPORTED,
                Actor.WORKLOAD_OWNER,
                "The RayCluster can't be queued: spec.headGroupSpec.template is \"big\"; write a pod"
                    + " template, with metadata and spec."),
        Scene.of(
                "a RayCluster that KubeRay doesn't call ready yet, whose pods aren't",
                "raycluster/ray",
                cluster -> {
                  started(cluster, "RayCluster", RAY_CLUSTER);
                  rayPod(cluster, "RayCluster", "head", "Pending", "False");
                })
            .shows(Reason.PODS_NOT_READY, Actor.WORKLOAD_OWNER, "not all pods are ready"),
        Scene.of(
                "a RayCluster without pods",
                "raycluster/ray",
                cluster -> started(cluster, "RayCluster", RAY_CLUSTER))
            .shows(
                Reason.PODS_NOT_CREATED,
                Actor.CLUSTER_OPERATOR,
                "its RayCluster has been started, but has no pods"),
        Scene.of(
                "a RayJob that KubeRay starts, without pods",
                "rayjob/ray",
                cluster -> startedRayJob(cluster, "Initializing"))
            .shows(
                Reason.PODS_NOT_READY,
                Actor.WORKLOAD_OWNER,
                "None is seen: the events of the RayJob tell why."),
        Scene.of(
                "a JobSet of a core whose installed configuration leaves the kind out",
                "jobset/set",
                cluster -> {
                  start(cluster, "");
                  installed(cluster);
                  jobSet(cluster, 1);
                })
            .shows(
                Reason.KIND_NOT_MANAGED,
                Actor.CORE_OPERATOR,
                "The JobSet names the LocalQueue lq, but is not managed",
                "it is suspended"));
  }

  private static String pod(String name, String metadata) {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: team, %s}
        spec: {containers: [{name: main, image: busybox}]}
        """
        .formatted(name, metadata);
  }

  private static DeclaredKind declared(String kind) {
    return BuiltInKinds.registry().all().stream()
        .filter(each -> each.type().kind().equals(kind))
        .map(DeclaredKind.class::cast)
        .findFirst()
        .orElseThrow();
  }

  /** An object called ray that has been admitted and resumed. */
  private static void started(TestCluster cluster, String kind, String spec) {
    serve(cluster, declared(kind).type());
    start(
        cluster,
        "integrations: {frameworks: [ray.io/%s]}".formatted(kind.toLowerCase(Locale.ROOT)));
    cluster.apply(
        """
        apiVersion: ray.io/v1
        kind: %s
        metadata: {name: ray, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec: %s
        """
            .formatted(kind, spec));
    cluster.awaitThat(
        "it runs",
        world ->
            world.workloads().stream().anyMatch(TestCluster::admitted)
                && !declared(kind).suspended(ray(world, kind)));
  }

  private static DeclaredJob ray(TestCluster cluster, String kind) {
    return cluster.api.get(declared(kind).type(), TestCluster.key("ray")).orElseThrow();
  }

  /** A RayJob of which KubeRay has written this status. */
  private static void startedRayJob(TestCluster cluster, String deploymentStatus) {
    started(
        cluster,
        "RayJob",
        "{suspend: true, shutdownAfterJobFinishes: true, submissionMode: HTTPMode,"
            + " rayClusterSpec: "
            + RAY_CLUSTER
            + "}");
    World.patch(
        cluster,
        declared("RayJob").type(),
        TestCluster.key("ray"),
        "{\"status\": {\"jobDeploymentStatus\": \"" + deploymentStatus + "\"}}");
  }

  /** A pod of the object called ray. */
  private static void rayPod(
      TestCluster cluster, String kind, String name, String phase, String ready) {
    cluster.apply(
        pod(name, "labels: {kueue.x-k8s.io/job-uid: %s}".formatted(Uids.of(ray(cluster, kind)))));
    World.patchStatus(
        cluster,
        CoreTypes.POD,
        TestCluster.key(name),
        "{\"status\": {\"phase\": \"%s\", \"conditions\": [{\"type\": \"Ready\", \"status\": \"%s\"}]}}"
            .formatted(phase, ready));
  }

  /** An object of this kind called ray; returns the reference of a controller, as JSON. */
  private static String object(TestCluster cluster, String group, String version, String kind) {
    var type = ResourceType.namespaced(group + "/" + version, kind, UnmanagedKind.Unread.class);
    serve(cluster, type);
    cluster.apply(
        """
        apiVersion: %s
        kind: %s
        metadata: {name: ray, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        """
            .formatted(type.apiVersion(), kind));
    return """
        {"apiVersion": "%s", "kind": "%s", "name": "ray", "uid": "%s", "controller": true}"""
        .formatted(
            type.apiVersion(),
            kind,
            Uids.of(cluster.api.get(type, TestCluster.key("ray")).orElseThrow()));
  }

  private static void trainJob(TestCluster cluster) {
    serve(cluster, TrainJob.TYPE);
    start(
        cluster,
        "integrations: {frameworks: [jobset.x-k8s.io/jobset, trainer.kubeflow.org/trainjob]}\n");
    cluster.apply(
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec: {suspend: true, runtimeRef: {name: torch}}
        """);
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

  private static void serve(TestCluster cluster, ResourceType<?> type) {
    cluster.server.applyCrds(
        List.of(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$s.%2$s}
            spec:
              group: %2$s
              scope: Namespaced
              names: {kind: %3$s, plural: %1$s}
              versions:
              - name: %4$s
                served: true
                storage: true
                schema:
                  openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """
                .formatted(type.plural(), type.group(), type.kind(), type.version())));
  }

  /** What the chart leaves of a core that was started with --ignore-unsupported. */
  private static void installed(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: kueue-system}
        ---
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: c1f6bfd2.kueue.x-k8s.io, namespace: kueue-system}
        spec: {holderIdentity: core, leaseDurationSeconds: 15, renewTime: '%s'}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: manager-config, namespace: kueue-system}
        data:
          controller_manager_config.yaml: |
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            integrations:
              frameworks: [batch/job, pod]
              externalFrameworks: [RayCluster.v1.ray.io]
        """
            .formatted(
                cluster
                    .time
                    .instant()
                    .truncatedTo(ChronoUnit.SECONDS)
                    .toString()
                    .replace("Z", ".000000Z")));
  }

  private static void start(TestCluster cluster, String configuration) {
    JobSets.install(cluster);
    cluster.queue("", "default=1");
    cluster.startCore(configuration);
  }

  private static void jobSet(TestCluster cluster, int cpus) {
    JobSets.apply(
        cluster,
        true,
        """
        replicatedJobs: [{name: workers, template: {spec: {template: {spec: {restartPolicy: Never,
          containers: [{name: main, image: busybox, resources: {requests: {cpu: %d}}}]}}}}}]"""
            .formatted(cpus));
  }

  private static void prebuilt(TestCluster cluster, String job) {
    cluster.apply(
        TestJob.named(job)
            .queue("lq")
            .label("kueue.x-k8s.io/prebuilt-workload-name", "planned")
            .cpus(1)
            .yaml());
  }

  private static void planned(TestCluster cluster) {
    cluster.apply(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: planned, namespace: team}
        spec:
          queueName: lq
          podSets:
          - name: main
            count: 1
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox,
              resources: {requests: {cpu: 1}}}]}}
        """);
  }
}
