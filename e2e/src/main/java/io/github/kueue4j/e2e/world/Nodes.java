// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The nodes of the simulated world. Pods are brought to them one at a time, since all controllers
 * that it plays share the room there. Thread-safe.
 */
final class Nodes {
  /** How long to wait, in simulated time, before looking for room again. */
  static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

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

  /** Has a pod run that has just come to its node. */
  void run(V1Pod pod, Instant now) {
    V1PodStatus status =
        Images.status(Objects.requireNonNull(pod.getSpec()))
            .startTime(now.truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC));
    write(pod, status);
  }

  /** Has the containers of a pod end well. */
  void succeed(V1Pod pod) {
    V1PodStatus status = Objects.requireNonNullElseGet(copy(pod).getStatus(), V1PodStatus::new);
    write(pod, status.phase("Succeeded").conditions(List.of()));
  }

  private void write(V1Pod pod, V1PodStatus status) {
    V1Pod after = copy(pod);
    after.setStatus(status);
    api.patchStatus(CoreTypes.POD, GuardedPatch.ofStatus(pod, after));
  }

  static V1Pod copy(V1Pod pod) {
    return KueueJson.fromTree(KueueJson.toTree(pod), V1Pod.class);
  }
}
