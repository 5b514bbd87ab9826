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
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import java.util.Map;

/**
 * GPUs that a workload needs of one flavor.
 *
 * @param workload who needs them
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

  /** Whether both are after the same GPUs. */
  boolean competesWith(String otherResource, String otherFlavor) {
    return resource.equals(otherResource) && flavor.equals(otherFlavor);
  }
}
