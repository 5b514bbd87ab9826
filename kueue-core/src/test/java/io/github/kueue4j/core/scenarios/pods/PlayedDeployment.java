// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSchedulingGate;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Plays the controllers of a Deployment and its ReplicaSets, and the kubelet of their pods, step by
 * step: a ReplicaSet per template, one pod more than replicas while it is rolled out, and pods that
 * aren't ready deleted first.
 */
final class PlayedDeployment {
  private static final ResourceType<V1ReplicaSet> REPLICA_SET =
      new ResourceType<>("apps", "v1", "ReplicaSet", "replicasets", true, V1ReplicaSet.class);

  private final PodsCluster cluster;
  private final String name;
  private int created;

  PlayedDeployment(PodsCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
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
    String queue = "kueue.x-k8s.io/queue-name: lq";
    create(replicas, queue, ", " + queue);
  }

  private void create(int replicas, String labels, String carried) {
    cluster.cluster.apply(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %1$s, namespace: team, labels: {%2$s}}
        spec:
          replicas: %3$d
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s%4$s}}
            spec: {containers: [{name: main, image: "web:1", resources: {requests: {cpu: 1}}}]}
        """
            .formatted(name, labels, replicas, carried));
  }

  void patch(String merge) {
    cluster.cluster.api.patch(
        CoreTypes.DEPLOYMENT, TestCluster.key(name), TestCluster.merge(merge));
  }

  void delete() {
    cluster.cluster.api.delete(
        CoreTypes.DEPLOYMENT, TestCluster.key(name), DeleteOptions.background());
  }

  Optional<V1Deployment> read() {
    return cluster.cluster.api.get(CoreTypes.DEPLOYMENT, TestCluster.key(name));
  }

  V1PodTemplateSpec template() {
    return read().orElseThrow().getSpec().getTemplate();
  }

  /** All that its controllers and its pods' kubelets do at once. */
  void step() {
    pods().forEach(this::kubelet);
    V1Deployment deployment = read().orElse(null);
    if (deployment == null || Health.terminating(deployment)) {
      return;
    }
    V1ReplicaSet newest = replicaSet(deployment);
    int replicas = Objects.requireNonNull(deployment.getSpec().getReplicas());
    List<V1Pod> alive = alive();
    List<V1Pod> current = alive.stream().filter(pod -> of(newest, pod)).toList();
    List<V1Pod> old = alive.stream().filter(pod -> !of(newest, pod)).toList();
    int most = replicas + (old.isEmpty() ? 0 : 1);
    for (int missing = Math.min(replicas - current.size(), most - alive.size());
        missing > 0;
        missing--) {
      pod(newest, deployment.getSpec().getTemplate());
    }
    delete(current, current.size() - replicas);
    long ready = current.stream().filter(PlayedDeployment::ready).count();
    delete(old, old.size() + (int) ready - replicas);
  }

  /** Those that are not being deleted and have not ended. */
  List<V1Pod> alive() {
    return pods().stream()
        .filter(pod -> !Health.terminating(pod))
        .filter(pod -> !List.of("Failed", "Succeeded").contains(phase(pod)))
        .toList();
  }

  /** Those of them that run. */
  List<V1Pod> running() {
    return alive().stream().filter(PlayedDeployment::ready).toList();
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
    if (Health.terminating(pod)) {
      cluster.removed(podName);
    } else if (!PodsCluster.gated(pod) && !ready(pod)) {
      cluster.runs(podName);
    }
  }

  private void delete(List<V1Pod> pods, int count) {
    pods.stream()
        .sorted(Comparator.comparing(PlayedDeployment::ready))
        .limit(Math.max(0, count))
        .forEach(pod -> cluster.delete(ObjectKey.of(pod).name()));
  }

  private V1ReplicaSet replicaSet(V1Deployment deployment) {
    V1PodTemplateSpec template = deployment.getSpec().getTemplate();
    ObjectKey key = TestCluster.key(name + "-" + Integer.toHexString(template.hashCode()));
    return cluster
        .cluster
        .api
        .get(REPLICA_SET, key)
        .orElseGet(
            () ->
                cluster.cluster.api.create(
                    REPLICA_SET,
                    new V1ReplicaSet()
                        .apiVersion("apps/v1")
                        .kind("ReplicaSet")
                        .metadata(
                            new V1ObjectMeta()
                                .namespace("team")
                                .name(key.name())
                                .addOwnerReferencesItem(
                                    controller(CoreTypes.DEPLOYMENT, deployment)))
                        .spec(
                            new V1ReplicaSetSpec()
                                .selector(new V1LabelSelector().putMatchLabelsItem("app", name))
                                .template(template))));
  }

  /** As the webhook leaves it if it names a queue. */
  private void pod(V1ReplicaSet owner, V1PodTemplateSpec template) {
    V1ObjectMeta like = Objects.requireNonNull(template.getMetadata());
    V1ObjectMeta metadata =
        new V1ObjectMeta()
            .namespace("team")
            .name(name + "-" + created++)
            .labels(like.getLabels())
            .annotations(like.getAnnotations())
            .addOwnerReferencesItem(controller(REPLICA_SET, owner));
    V1PodSpec spec = Objects.requireNonNull(template.getSpec());
    if (Objects.requireNonNull(metadata.getLabels()).containsKey("kueue.x-k8s.io/queue-name")) {
      metadata
          .putLabelsItem("kueue.x-k8s.io/managed", "true")
          .addFinalizersItem("kueue.x-k8s.io/managed");
      spec.setSchedulingGates(List.of(new V1PodSchedulingGate().name("kueue.x-k8s.io/admission")));
    }
    cluster.cluster.api.create(
        CoreTypes.POD, new V1Pod().apiVersion("v1").kind("Pod").metadata(metadata).spec(spec));
  }

  private static V1OwnerReference controller(ResourceType<?> type, KubernetesObject owner) {
    return new V1OwnerReference()
        .apiVersion(type.apiVersion())
        .kind(type.kind())
        .name(ObjectKey.of(owner).name())
        .uid(Uids.of(owner))
        .controller(true);
  }

  private static boolean of(V1ReplicaSet set, V1Pod pod) {
    return Objects.requireNonNull(pod.getMetadata().getOwnerReferences()).stream()
        .anyMatch(owner -> owner.getUid().equals(Uids.of(set)));
  }

  private static boolean ready(V1Pod pod) {
    return "Running".equals(phase(pod));
  }

  private static String phase(V1Pod pod) {
    return pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
  }
}
