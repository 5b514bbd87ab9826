// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1Taint;
import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a flavor.
 *
 * @param nodeLabels labels of the nodes, at most 8
 * @param nodeTaints taints of the nodes, at most 8; a workload must tolerate them
 * @param tolerations tolerations added to pods on this flavor, at most 8
 * @param topologyName a Topology; not supported, ClusterQueues with the flavor admit nothing
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
}
