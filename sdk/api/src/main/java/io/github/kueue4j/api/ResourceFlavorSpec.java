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
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1Taint;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a flavor stands for.
 *
 * @param nodeLabels labels of the nodes, at most 8
 * @param nodeTaints taints of the nodes, at most 8; a workload must tolerate them
 * @param tolerations tolerations added to pods on this flavor, at most 8
 * @param topologyName a Topology; not supported, a flavor that names one is unusable
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceFlavorSpec(
    Map<String, String> nodeLabels,
    List<V1Taint> nodeTaints,
    List<V1Toleration> tolerations,
    @Nullable String topologyName) {
  public ResourceFlavorSpec {
    nodeLabels = Lenient.map(nodeLabels);
    nodeTaints = Lenient.list(nodeTaints);
    tolerations = Lenient.list(tolerations);
  }

  /** The spec of an object that says nothing: every field absent or at its default. */
  public static ResourceFlavorSpec empty() {
    return new ResourceFlavorSpec(Map.of(), List.of(), List.of(), null);
  }

  /** A copy with another {@code nodeLabels}. */
  public ResourceFlavorSpec withNodeLabels(Map<String, String> nodeLabels) {
    return new ResourceFlavorSpec(nodeLabels, nodeTaints, tolerations, topologyName);
  }

  /** A copy with another {@code nodeTaints}. */
  public ResourceFlavorSpec withNodeTaints(List<V1Taint> nodeTaints) {
    return new ResourceFlavorSpec(nodeLabels, nodeTaints, tolerations, topologyName);
  }

  /** A copy with another {@code tolerations}. */
  public ResourceFlavorSpec withTolerations(List<V1Toleration> tolerations) {
    return new ResourceFlavorSpec(nodeLabels, nodeTaints, tolerations, topologyName);
  }

  /** A copy with another {@code topologyName}. */
  public ResourceFlavorSpec withTopologyName(@Nullable String topologyName) {
    return new ResourceFlavorSpec(nodeLabels, nodeTaints, tolerations, topologyName);
  }
}
