// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.github.kueue4j.api.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.HashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A group of equal pods of the evaluated workload and the quota it got.
 *
 * {@snippet file="io/github/kueue4j/sdk/example/SecurityScanCheck.java" region=scan}
 *
 * @param name unique in the workload
 * @param count pods that would start; with partial admission fewer than were asked for
 * @param template the pods; treat it as read-only
 * @param requests resource name to the total of all {@code count} pods
 * @param flavors resource name to the flavor whose quota is reserved; empty without a reservation
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AssignedPodSet(
    String name,
    int count,
    V1PodTemplateSpec template,
    Map<String, Quantity> requests,
    Map<String, AssignedFlavor> flavors) {
  /** Keeps copies of the maps. */
  public AssignedPodSet {
    requests = Map.copyOf(requests);
    flavors = Map.copyOf(flavors);
  }

  /** The labels of the pods, never null. */
  public Map<String, String> labels() {
    @Nullable V1ObjectMeta metadata = template.getMetadata();
    @Nullable Map<String, String> labels = metadata == null ? null : metadata.getLabels();
    return labels == null ? Map.of() : Map.copyOf(labels);
  }

  /** The labels that a node must have for these pods, as far as the assigned flavors say. */
  public Map<String, String> nodeLabels() {
    Map<String, String> labels = new HashMap<>();
    flavors.values().forEach(flavor -> labels.putAll(flavor.nodeLabels()));
    return Map.copyOf(labels);
  }
}
