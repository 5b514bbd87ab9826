// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import java.util.Map;

/**
 * GPUs that a workload needs of one flavor.
 *
 * @param workload the workload that needs them
 * @param resource for example {@code nvidia.com/gpu}
 * @param flavor the name of the ResourceFlavor
 * @param nodeLabels the flavor's node labels
 * @param count how many, above 0
 */
record Demand(
    ObjectKey workload,
    String resource,
    String flavor,
    Map<String, String> nodeLabels,
    long count) {

  Demand {
    nodeLabels = Map.copyOf(nodeLabels);
  }

  /** Whether both need the same GPUs. */
  boolean competesWith(String otherResource, String otherFlavor) {
    return resource.equals(otherResource) && flavor.equals(otherFlavor);
  }
}
