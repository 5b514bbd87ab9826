// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.pods;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.testing.TestCluster;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Plays the controllers of a Deployment and its ReplicaSets: a ReplicaSet per template, one pod
 * more than replicas while it is rolled out, and pods that aren't ready deleted first.
 */
final class PlayedDeployment extends PlayedController<V1Deployment> {
  private static final ResourceType<V1ReplicaSet> REPLICA_SET =
      ResourceType.of("apps/v1", "ReplicaSet", V1ReplicaSet.class);

  private int created;

  PlayedDeployment(PodsCluster cluster, String name) {
    super(cluster, CoreTypes.DEPLOYMENT, name);
  }

  @Override
  V1PodTemplateSpec template() {
    return read().orElseThrow().getSpec().getTemplate();
  }

  @Override
  void control(V1Deployment deployment) {
    V1ReplicaSet newest = replicaSet(deployment);
    int replicas = Objects.requireNonNull(deployment.getSpec().getReplicas());
    List<V1Pod> alive = alive();
    List<V1Pod> current = alive.stream().filter(pod -> of(newest, pod)).toList();
    List<V1Pod> old = alive.stream().filter(pod -> !of(newest, pod)).toList();
    int most = replicas + (old.isEmpty() ? 0 : 1);
    for (int missing = Math.min(replicas - current.size(), most - alive.size());
        missing > 0;
        missing--) {
      pod(name + "-" + created++, controller(REPLICA_SET, newest));
    }
    delete(current, current.size() - replicas);
    long ready = current.stream().filter(PlayedController::ready).count();
    delete(old, old.size() + (int) ready - replicas);
  }

  private void delete(List<V1Pod> pods, int count) {
    pods.stream()
        .sorted(Comparator.comparing(PlayedController::ready))
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

  private static boolean of(V1ReplicaSet set, V1Pod pod) {
    return Objects.requireNonNull(pod.getMetadata().getOwnerReferences()).stream()
        .anyMatch(owner -> owner.getUid().equals(Uids.of(set)));
  }
}
