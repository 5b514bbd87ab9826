// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.explain;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.declared.DeclaredJob;
import io.github.kueue4j.jobs.declared.DeclaredKind;
import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.github.kueue4j.observe.explain.Actor;
import io.github.kueue4j.observe.explain.Reason;
import java.util.List;
import java.util.Locale;

/** Kinds that are declared, by the example of those of Ray. */
final class RayScenes {
  private static final String RAY_CLUSTER =
      "{headGroupSpec: {template: {spec: {containers: [{name: main, image: busybox}]}}}}";

  private RayScenes() {}

  static List<Scene> all() {
    return List.of(
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
                  World.serve(cluster, declared("RayCluster").type());
                  World.start(cluster, "integrations: {frameworks: [ray.io/raycluster]}");
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
                "None is seen: the events of the RayJob tell why."));
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
    World.serve(cluster, declared(kind).type());
    World.start(
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
        World.pod(
            name, "labels: {kueue.x-k8s.io/job-uid: %s}".formatted(Uids.of(ray(cluster, kind)))));
    World.patchStatus(
        cluster,
        CoreTypes.POD,
        TestCluster.key(name),
        "{\"status\": {\"phase\": \"%s\", \"conditions\": [{\"type\": \"Ready\", \"status\": \"%s\"}]}}"
            .formatted(phase, ready));
  }
}
