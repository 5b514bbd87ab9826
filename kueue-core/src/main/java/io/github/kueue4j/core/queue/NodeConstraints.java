/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
 * What pods demand of their node, as far as it decides which flavors they can use.
 *
 * @param nodeSelector labels that the node must have
 * @param requiredTerms terms of the required node affinity, of which one must hold; empty for none
 * @param tolerations taints that the pods endure
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

  /** Any node without taints will do. */
  public static NodeConstraints none() {
    return new NodeConstraints(Map.of(), List.of(), List.of());
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
