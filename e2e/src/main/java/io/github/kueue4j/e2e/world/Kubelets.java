// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.Change;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;

/**
 * Ends the pods that are being deleted. An API server only marks a pod that is on a node; the
 * kubelet removes the pod once its containers have stopped.
 */
final class Kubelets implements Reconciler {
  private final KubernetesApi api;

  Kubelets(KubernetesApi api) {
    this.api = api;
  }

  /** The pod, if it shall end. */
  static List<ObjectKey> terminating(Change<V1Pod> change) {
    return !(change instanceof Change.Deleted<V1Pod>)
            && change.object().getMetadata().getDeletionTimestamp() != null
        ? List.of(change.key())
        : List.of();
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    api.get(CoreTypes.POD, key)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
        .ifPresent(pod -> remove(api, pod));
    return Requeue.never();
  }

  /** Removes a pod whose containers have stopped. */
  static void remove(KubernetesApi api, V1Pod pod) {
    api.delete(
        CoreTypes.POD,
        ObjectKey.of(pod),
        DeleteOptions.background().withUid(pod.getMetadata().getUid()).withGracePeriodSeconds(0));
  }
}
