// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.ListOptions;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Brings pods to the nodes of the simulated world, one at a time: all controllers that it plays
 * share the room there. Thread-safe.
 */
final class Nodes {
  private final KubernetesApi api;

  Nodes(KubernetesApi api) {
    this.api = api;
  }

  /**
   * Finds a node for a pod.
   *
   * @param put brings the pod to the node of this name; not called if none has room
   * @return whether one had
   */
  synchronized boolean place(V1PodSpec spec, Consumer<String> put) {
    Optional<String> node =
        new Placement(
                api.list(CoreTypes.NODE, ListOptions.all()).items(),
                api.list(CoreTypes.POD, ListOptions.all()).items())
            .nodeFor(spec);
    node.ifPresent(put);
    return node.isPresent();
  }
}
