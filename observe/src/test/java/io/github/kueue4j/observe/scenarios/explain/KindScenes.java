// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.JobSets;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.jobs.JobSet;
import io.github.kueue4j.jobs.UnmanagedKind;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import io.github.kueue4j.testdefaults.TestLog;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.slf4j.event.Level;

/**
 * JobSets, Jobs that belong to them or name their Workload themselves, and kinds of other
 * controllers.
 */
final class KindScenes {
  /** When it is told that a controller doesn't heed a suspension. */
  private static final Duration UNHEEDED = Duration.ofMinutes(5);

  private KindScenes() {}

  static List<Scene> all() {
    return List.of(
        Scene.of(
                "a JobSet that requests too much",
                "jobset/set",
                cluster -> {
                  World.start(cluster, JobSets.FRAMEWORKS);
                  jobSet(cluster, 2);
                })
            .shows(Reason.EXCEEDS_QUOTA, Actor.WORKLOAD_OWNER, "2"),
        Scene.of(
                "a JobSet by its bare name",
                "set",
                cluster -> {
                  World.start(cluster, JobSets.FRAMEWORKS);
                  jobSet(cluster, 2);
                })
            .shows(Reason.EXCEEDS_QUOTA, Actor.WORKLOAD_OWNER, "2"),
        Scene.of(
                "a Job of a JobSet waits for what the JobSet waits for",
                "job/set-workers-0",
                cluster -> {
                  World.start(cluster, JobSets.FRAMEWORKS);
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
                  World.start(cluster, "");
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
                  World.start(cluster, JobSets.FRAMEWORKS);
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
                  World.start(cluster, JobSets.FRAMEWORKS);
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
                "a JobSet that waits, that its user has resumed, and whose stop is refused",
                "jobset/set",
                cluster -> {
                  TestLog.possible(
                      Level.WARN,
                      "UnheededStops",
                      "The API server refuses the stop of a Job",
                      "it is provoked");
                  World.start(cluster, JobSets.FRAMEWORKS);
                  jobSet(cluster, 2);
                  cluster.awaitThat("it is queued", world -> world.workloads().size() == 1);
                  cluster.settle();
                  cluster
                      .server
                      .faults()
                      .failNext(
                          Integer.MAX_VALUE,
                          RequestMatcher.verbs("patch")
                              .and(RequestMatcher.resource("jobsets"))
                              .and(request -> request.userAgent().contains("kueue-core")),
                          403);
                  cluster.api.patch(
                      JobSet.TYPE,
                      JobSets.KEY,
                      TestCluster.merge("{\"spec\": {\"suspend\": false}}"));
                  cluster.passUntil(
                      "it is told",
                      world ->
                          TestCluster.isTrue(
                              world.workloads().getFirst(),
                              WorkloadConditions.SUSPENSION_UNHEEDED));
                })
            .shows(
                Reason.EXCEEDS_QUOTA,
                Actor.WORKLOAD_OWNER,
                "kueue4j.io/SuspensionUnheeded",
                "The API server refuses its stop"),
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
                  World.start(cluster, "");
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
                  World.start(cluster, "");
                  cluster.apply(World.pod("web", "labels: {kueue.x-k8s.io/queue-name: lq}"));
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
                  World.start(cluster, "");
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
                  World.start(cluster, "");
                  cluster.apply(World.pod("web", "labels: {app: web}"));
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
                  World.start(cluster, "");
                  String owner =
                      object(cluster, "sparkoperator.k8s.io", "v1beta2", "SparkApplication");
                  cluster.apply(World.pod("head", "ownerReferences: [" + owner + "]"));
                })
            .shows(
                Reason.KIND_NOT_MANAGED,
                Actor.WORKLOAD_OWNER,
                "The SparkApplication names the LocalQueue lq, but is not managed",
                "SparkApplication/team/ray"),
        Scene.of(
                "a RayCluster whose controller has to make a Workload",
                "raycluster/ray",
                cluster -> {
                  World.start(cluster, "");
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
                  World.start(cluster, "");
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
                "a JobSet of a core whose installed configuration leaves the kind out",
                "jobset/set",
                cluster -> {
                  World.start(cluster, "");
                  installed(cluster);
                  jobSet(cluster, 1);
                })
            .shows(
                Reason.KIND_NOT_MANAGED,
                Actor.CORE_OPERATOR,
                "The JobSet names the LocalQueue lq, but is not managed",
                "it is suspended"));
  }

  /** An object of this kind called ray; returns the reference of a controller, as JSON. */
  private static String object(TestCluster cluster, String group, String version, String kind) {
    var type = ResourceType.namespaced(group + "/" + version, kind, UnmanagedKind.Unread.class);
    World.serve(cluster, type);
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
