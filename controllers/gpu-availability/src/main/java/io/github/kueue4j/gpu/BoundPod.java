// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.gpu.fit.Amounts;
import io.github.kueue4j.sdk.objects.PodWorkloads;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod that takes room on a node.
 *
 * @param key namespace and name
 * @param uid of the pod
 * @param node its name
 * @param requests what it takes
 * @param controller uid of the object that controls it; empty without
 * @param workload name of the Workload that its annotation tells; empty without
 * @param terminating whether it was deleted; on a node that is lost such a pod may stay for good
 */
record BoundPod(
    ObjectKey key,
    String uid,
    String node,
    Amounts requests,
    String controller,
    String workload,
    boolean terminating) {

  private static final Set<String> OVER = Set.of("Succeeded", "Failed");

  /** The pod as far as it takes room; empty before it is bound and after its end. */
  static Optional<BoundPod> of(V1Pod pod) {
    @Nullable String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    @Nullable String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    if (node == null || node.isEmpty() || (phase != null && OVER.contains(phase))) {
      return Optional.empty();
    }
    V1ObjectMeta metadata = pod.getMetadata();
    Map<String, String> annotations =
        Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
    return Optional.of(
        new BoundPod(
            ObjectKey.of(pod),
            Uids.of(pod),
            node,
            Amounts.ofPod(pod.getSpec()).bounded(),
            controller(metadata),
            annotations.getOrDefault(PodWorkloads.ANNOTATION, ""),
            metadata.getDeletionTimestamp() != null));
  }

  /** Whether the pod has ended well. */
  static boolean succeeded(V1Pod pod) {
    return pod.getStatus() != null && "Succeeded".equals(pod.getStatus().getPhase());
  }

  /** The uid of the object that controls another; empty without. */
  static String controller(V1ObjectMeta metadata) {
    return Objects.requireNonNullElse(metadata.getOwnerReferences(), List.<V1OwnerReference>of())
        .stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(V1OwnerReference::getUid)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("");
  }
}
