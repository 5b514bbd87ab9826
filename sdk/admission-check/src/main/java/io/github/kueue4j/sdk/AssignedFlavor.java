// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import io.kubernetes.client.openapi.models.V1Toleration;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The ResourceFlavor from which a pod set got quota for a resource.
 *
 * @param name of the ResourceFlavor
 * @param nodeLabels labels of the nodes that the flavor stands for; empty if it stands for any node
 *     or no longer exists
 * @param tolerations added to the pods when they start
 * @see AssignedPodSet
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AssignedFlavor(
    String name, Map<String, String> nodeLabels, List<V1Toleration> tolerations) {
  /** Keeps copies. */
  public AssignedFlavor {
    nodeLabels = Map.copyOf(nodeLabels);
    tolerations = List.copyOf(tolerations);
  }
}
