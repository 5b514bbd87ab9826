// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.gpu.fit.Amounts;
import io.github.kueue4j.gpu.fit.Constraints;
import io.github.kueue4j.gpu.fit.PodNeeds;
import io.github.kueue4j.sdk.objects.PodWorkloads;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod that the scheduler may bind at any moment, and that then takes devices.
 *
 * @param key namespace and name
 * @param uid of the pod
 * @param controller uid of the object that controls it; empty without
 * @param workload name of the Workload that its annotation tells; empty without
 * @param needs what it takes, and of which nodes
 */
record UnboundPod(ObjectKey key, String uid, String controller, String workload, PodNeeds needs) {

  /** The pod, unless it is bound, gated, deleted or over, or needs no device. */
  static Optional<UnboundPod> of(V1Pod pod) {
    @Nullable V1PodSpec spec = pod.getSpec();
    V1ObjectMeta metadata = pod.getMetadata();
    @Nullable String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    if (spec == null
        || isNamed(spec.getNodeName())
        || (spec.getSchedulingGates() != null && !spec.getSchedulingGates().isEmpty())
        || metadata.getDeletionTimestamp() != null
        || (phase != null && !phase.equals("Pending"))) {
      return Optional.empty();
    }
    Amounts requests = Amounts.ofPod(spec).bounded();
    if (requests.byName().keySet().stream().noneMatch(resource -> resource.contains("/"))) {
      return Optional.empty();
    }
    Map<String, String> annotations =
        Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
    return Optional.of(
        new UnboundPod(
            ObjectKey.of(pod),
            Uids.of(pod),
            BoundPod.controller(metadata),
            annotations.getOrDefault(PodWorkloads.ANNOTATION, ""),
            new PodNeeds(requests, Constraints.of(spec))));
  }

  private static boolean isNamed(@Nullable String node) {
    return node != null && !node.isEmpty();
  }
}
