// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.kubernetes.client.openapi.models.V1Affinity;
import io.kubernetes.client.openapi.models.V1NodeAffinity;
import io.kubernetes.client.openapi.models.V1NodeSelector;
import io.kubernetes.client.openapi.models.V1NodeSelectorTerm;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The requirements of pods on their node, as far as they decide which flavors match.
 *
 * @param nodeSelector labels that the node must have
 * @param requiredTerms terms of the required node affinity, of which one must hold; empty for none
 * @param tolerations of the pods
 */
@API(status = API.Status.INTERNAL)
public record NodeConstraints(
    Map<String, String> nodeSelector,
    List<V1NodeSelectorTerm> requiredTerms,
    List<V1Toleration> tolerations) {
  public NodeConstraints {
    nodeSelector = Map.copyOf(nodeSelector);
    requiredTerms = List.copyOf(requiredTerms);
    tolerations = List.copyOf(tolerations);
  }

  public static NodeConstraints of(V1PodSpec pod) {
    List<V1NodeSelectorTerm> terms =
        Optional.ofNullable(pod.getAffinity())
            .map(V1Affinity::getNodeAffinity)
            .map(V1NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
            .map(V1NodeSelector::getNodeSelectorTerms)
            .orElse(List.of());
    return new NodeConstraints(
        Optional.ofNullable(pod.getNodeSelector()).orElse(Map.of()),
        terms,
        Optional.ofNullable(pod.getTolerations()).orElse(List.of()));
  }
}
