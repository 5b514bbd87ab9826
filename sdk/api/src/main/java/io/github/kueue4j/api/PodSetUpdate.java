// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The additions of an admission check to the pods of one pod set at their start.
 *
 * @param name the pod set
 * @param labels labels to add
 * @param annotations annotations to add
 * @param nodeSelector node labels to require
 * @param tolerations at most 8 tolerations to add
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSetUpdate(
    @Required String name,
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, String> nodeSelector,
    List<V1Toleration> tolerations) {
  public PodSetUpdate {
    name = Lenient.text(name);
    labels = Lenient.map(labels);
    annotations = Lenient.map(annotations);
    nodeSelector = Lenient.map(nodeSelector);
    tolerations = Lenient.list(tolerations);
  }

  /** An empty update of a pod set. */
  public static PodSetUpdate of(String name) {
    return new PodSetUpdate(name, Map.of(), Map.of(), Map.of(), List.of());
  }

  /** A copy with another {@code labels}. */
  public PodSetUpdate withLabels(Map<String, String> labels) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }

  /** A copy with another {@code annotations}. */
  public PodSetUpdate withAnnotations(Map<String, String> annotations) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }

  /** A copy with another {@code nodeSelector}. */
  public PodSetUpdate withNodeSelector(Map<String, String> nodeSelector) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }

  /** A copy with another {@code tolerations}. */
  public PodSetUpdate withTolerations(List<V1Toleration> tolerations) {
    return new PodSetUpdate(name, labels, annotations, nodeSelector, tolerations);
  }
}
