// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.dryrun;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.jobs.ServingKind;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An object whose pods are queued, or a group of pods, and what plays its controllers and the
 * webhooks until the first pods are there.
 *
 * @param kind of the object, or Pod
 * @param labels that name its queue and priority class
 * @param replicas of it, or the pods of the group
 * @param cpus that each pod requests, and each leader
 */
record PlayedPods(String kind, Map<String, String> labels, int replicas, int cpus) {
  private static final String QUEUE = "kueue.x-k8s.io/queue-name: lq";

  static PlayedPods any(RandomCluster world) {
    return new PlayedPods(
        world.any("Deployment", "StatefulSet", "LeaderWorkerSet", "Pod"),
        Map.of(
            "kueue.x-k8s.io/queue-name", world.anyQueue(),
            "kueue.x-k8s.io/priority-class", world.any("low", "high")),
        Integer.parseInt(world.any("1", "2", "3", "4")),
        Integer.parseInt(world.any("1", "1", "2")));
  }

  /** How many Workloads it has. */
  int units() {
    return kind.equals("StatefulSet") || kind.equals("Pod") ? 1 : replicas;
  }

  /** As a user creates them. */
  String manifests() {
    String written =
        switch (kind) {
          case "Deployment" -> ServingManifests.deployment(replicas, cpus);
          case "StatefulSet" -> ServingManifests.statefulSet(replicas, cpus);
          case "LeaderWorkerSet" -> ServingManifests.leaderWorkerSet(replicas, cpus, 1);
          default ->
              String.join(
                  "---\n",
                  IntStream.range(0, replicas)
                      .mapToObj(number -> ServingManifests.member("m" + number, replicas, cpus))
                      .toList());
        };
    List<String> named = new ArrayList<>();
    labels.forEach((key, value) -> named.add(key + ": " + value));
    return written.replace(QUEUE, String.join(", ", named));
  }

  /** Creates them as the webhooks leave them, with the pods that are there first. */
  void create(TestCluster cluster) {
    if (kind.equals("Pod")) {
      IntStream.range(0, replicas)
          .forEach(
              number ->
                  pod(
                      cluster,
                      "m" + number,
                      Optional.empty(),
                      "g",
                      Map.of("kueue.x-k8s.io/pod-group-total-count", String.valueOf(replicas))));
      return;
    }
    cluster.apply(manifests());
    if (kind.equals("Deployment")) {
      IntStream.range(0, replicas)
          .forEach(number -> pod(cluster, "web-" + number, Optional.empty(), "", Map.of()));
      return;
    }
    ServingKind serving =
        ServingKind.ALL.stream()
            .filter(each -> each.type().kind().equals(kind))
            .findFirst()
            .orElseThrow();
    V1OwnerReference owner = owner(cluster, serving.type());
    if (kind.equals("StatefulSet")) {
      pod(cluster, "web-0", Optional.of(owner), serving.groupOf(owner), serving(replicas, "main"));
      return;
    }
    LeaderWorkerSet set =
        cluster.api.get(LeaderWorkerSet.TYPE, TestCluster.key("web")).orElseThrow();
    IntStream.range(0, replicas)
        .forEach(
            number ->
                pod(
                    cluster,
                    "web-" + number,
                    Optional.of(owner),
                    set.groupOf(number),
                    serving(3, "leader")));
  }

  private static V1OwnerReference owner(TestCluster cluster, ResourceType<?> type) {
    return new V1OwnerReference()
        .apiVersion(type.apiVersion())
        .kind(type.kind())
        .name("web")
        .uid(Uids.of(cluster.api.get(type, TestCluster.key("web")).orElseThrow()))
        .controller(true);
  }

  private static Map<String, String> serving(int pods, String role) {
    return Map.of(
        "kueue.x-k8s.io/pod-group-total-count",
        String.valueOf(pods),
        "kueue.x-k8s.io/pod-group-fast-admission",
        "true",
        "kueue.x-k8s.io/pod-group-serving",
        "true",
        "kueue.x-k8s.io/role-hash",
        role);
  }

  private void pod(
      TestCluster cluster,
      String name,
      Optional<V1OwnerReference> owner,
      String group,
      Map<String, String> annotations) {
    V1Pod pod =
        KueueJson.fromTree(
            JsonParser.parseString(
                """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "team",
                   "finalizers": ["kueue.x-k8s.io/managed"]},
                 "spec": {"schedulingGates": [{"name": "kueue.x-k8s.io/admission"}], "containers":
                   [{"name": "main", "image": "busybox", "resources": {"requests": {"cpu": "%d"}}}]}}
                """
                    .formatted(name, cpus)),
            CoreTypes.POD);
    var metadata = pod.getMetadata();
    labels.forEach(metadata::putLabelsItem);
    metadata.putLabelsItem("kueue.x-k8s.io/managed", "true");
    if (!group.isEmpty()) {
      metadata.putLabelsItem("kueue.x-k8s.io/pod-group-name", group);
    }
    if (kind.equals("LeaderWorkerSet")) {
      String prefix = "leaderworkerset.sigs.k8s.io/";
      metadata.putLabelsItem(prefix + "name", "web");
      metadata.putLabelsItem(prefix + "group-index", name.substring(name.length() - 1));
      metadata.putLabelsItem(prefix + "worker-index", "0");
    }
    annotations.forEach(metadata::putAnnotationsItem);
    owner.ifPresent(metadata::addOwnerReferencesItem);
    cluster.api.create(CoreTypes.POD, pod);
  }
}
