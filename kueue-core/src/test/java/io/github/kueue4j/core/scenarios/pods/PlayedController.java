// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSchedulingGate;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Plays the controller of an object that makes its pods anew, and their kubelet, step by step. */
abstract class PlayedController<T extends KubernetesObject> {
  private static final String QUEUE = "kueue.x-k8s.io/queue-name: lq";

  final PodsCluster cluster;
  final String name;
  private final ResourceType<T> type;
  private final Set<String> lost = new HashSet<>();
  private boolean reviewed;

  PlayedController(PodsCluster cluster, ResourceType<T> type, String name) {
    this.cluster = cluster;
    this.type = type;
    this.name = name;
  }

  /** Its pods are made as the template has them, for a webhook to review. */
  final void podsAreReviewed() {
    reviewed = true;
  }

  /**
   * The node of a pod is lost: no kubelet tells its end, and it keeps its name until it is removed.
   */
  final void lost(String podName) {
    lost.add(podName);
    cluster.delete(podName);
  }

  /** An operator who knows that its node is gone removes it by force. */
  final void removedByForce(String podName) {
    lost.remove(podName);
    cluster.removed(podName);
  }

  /**
   * A user creates it.
   *
   * @param labels of its own, as the inside of a YAML flow mapping
   */
  void create(int replicas, String labels) {
    create(replicas, labels, "");
  }

  /** As the webhook leaves it. */
  void queued(int replicas) {
    create(replicas, QUEUE, ", " + QUEUE);
  }

  private void create(int replicas, String labels, String carried) {
    cluster.cluster.apply(
        """
        apiVersion: apps/v1
        kind: %5$s
        metadata: {name: %1$s, namespace: team, labels: {%2$s}}
        spec:
          replicas: %3$d
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s%4$s}}
            spec: {containers: [{name: main, image: "web:1", resources: {requests: {cpu: 1}}}]}
        """
            .formatted(name, labels, replicas, carried, type.kind()));
  }

  void patch(String merge) {
    cluster.cluster.api.patch(type, TestCluster.key(name), TestCluster.merge(merge));
  }

  void delete() {
    cluster.cluster.api.delete(type, TestCluster.key(name), DeleteOptions.background());
  }

  Optional<T> read() {
    return cluster.cluster.api.get(type, TestCluster.key(name));
  }

  /** Its pod template. */
  abstract V1PodTemplateSpec template();

  /** All that its controller and its pods' kubelets do at once. */
  final void step() {
    pods().forEach(this::kubelet);
    read().filter(object -> !Health.terminating(object)).ifPresent(this::control);
  }

  abstract void control(T object);

  /** Those that are not being deleted and have not ended. */
  List<V1Pod> alive() {
    return pods().stream()
        .filter(pod -> !Health.terminating(pod))
        .filter(pod -> !ended(pod))
        .toList();
  }

  /** Those of them that run. */
  List<V1Pod> running() {
    return alive().stream().filter(PlayedController::ready).toList();
  }

  List<V1Pod> pods() {
    return cluster
        .cluster
        .api
        .list(CoreTypes.POD, ListOptions.inNamespace("team").withLabelSelector("app=" + name))
        .items();
  }

  private void kubelet(V1Pod pod) {
    String podName = ObjectKey.of(pod).name();
    if (lost.contains(podName)) {
      return;
    }
    if (Health.terminating(pod)) {
      cluster.removed(podName);
    } else if (!PodsCluster.gated(pod) && !ready(pod) && !ended(pod)) {
      cluster.runs(podName);
    }
  }

  /** A pod of the template; as the webhook leaves it if that names a queue. */
  final void pod(String podName, V1OwnerReference owner) {
    pod(podName, owner, template(), group(owner), ofGroup());
  }

  /**
   * A pod of this template; as the webhook leaves it if that names a queue.
   *
   * @param group that the webhook puts it into
   * @param ofGroup the annotations that the webhook gives it for that
   */
  final void pod(
      String podName,
      V1OwnerReference owner,
      V1PodTemplateSpec template,
      Optional<String> group,
      Map<String, String> ofGroup) {
    V1ObjectMeta like = Objects.requireNonNull(template.getMetadata());
    V1ObjectMeta metadata =
        new V1ObjectMeta()
            .namespace("team")
            .name(podName)
            .labels(like.getLabels())
            .annotations(like.getAnnotations())
            .addOwnerReferencesItem(owner);
    V1PodSpec spec = Objects.requireNonNull(template.getSpec());
    if (!reviewed
        && Objects.requireNonNull(metadata.getLabels()).containsKey("kueue.x-k8s.io/queue-name")) {
      metadata
          .putLabelsItem("kueue.x-k8s.io/managed", "true")
          .addFinalizersItem("kueue.x-k8s.io/managed");
      spec.setSchedulingGates(List.of(new V1PodSchedulingGate().name("kueue.x-k8s.io/admission")));
      group.ifPresent(known -> metadata.putLabelsItem("kueue.x-k8s.io/pod-group-name", known));
      ofGroup.forEach(metadata::putAnnotationsItem);
    }
    cluster.cluster.api.create(
        CoreTypes.POD, new V1Pod().apiVersion("v1").kind("Pod").metadata(metadata).spec(spec));
  }

  /** The group that the webhook puts its pods into. */
  Optional<String> group(V1OwnerReference owner) {
    return Optional.empty();
  }

  /** The annotations that the webhook gives them for it. */
  Map<String, String> ofGroup() {
    return Map.of();
  }

  static V1OwnerReference controller(ResourceType<?> type, KubernetesObject owner) {
    return new V1OwnerReference()
        .apiVersion(type.apiVersion())
        .kind(type.kind())
        .name(ObjectKey.of(owner).name())
        .uid(Uids.of(owner))
        .controller(true);
  }

  static boolean ended(V1Pod pod) {
    return List.of("Failed", "Succeeded").contains(phase(pod));
  }

  static boolean ready(V1Pod pod) {
    return "Running".equals(phase(pod));
  }

  static String phase(V1Pod pod) {
    return pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
  }
}
