// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.util.List;
import java.util.Objects;

/** Fails the pods of nodes that are gone, as the garbage collector of pods does. */
final class LostNodes implements Reconciler {
  private final KubernetesApi api;

  LostNodes(KubernetesApi api) {
    this.api = api;
  }

  /** The node, if the change is its end. */
  static List<ObjectKey> lost(Change<V1Node> change) {
    return change instanceof Change.Deleted<V1Node> ? List.of(change.key()) : List.of();
  }

  @Override
  public Requeue reconcile(ObjectKey node) {
    if (api.get(CoreTypes.NODE, node).isEmpty()) {
      api.list(CoreTypes.POD, ListOptions.all()).items().stream()
          .filter(pod -> !Placement.hasEnded(pod))
          .filter(pod -> pod.getSpec() != null && node.name().equals(pod.getSpec().getNodeName()))
          .forEach(this::fail);
    }
    return Requeue.never();
  }

  private void fail(V1Pod pod) {
    V1Pod after = KueueJson.fromTree(KueueJson.toTree(pod), V1Pod.class);
    V1PodStatus status = Objects.requireNonNullElseGet(after.getStatus(), V1PodStatus::new);
    V1PodCondition disrupted =
        new V1PodCondition()
            .type("DisruptionTarget")
            .status("True")
            .reason("DeletionByPodGC")
            .message("The pod's node is gone.");
    after.setStatus(status.phase("Failed").conditions(List.of(disrupted)));
    api.patchStatus(CoreTypes.POD, GuardedPatch.ofStatus(pod, after));
  }
}
