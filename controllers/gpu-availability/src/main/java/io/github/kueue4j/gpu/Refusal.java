// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.gpu.fit.RepellingTaint;
import io.github.kueue4j.gpu.fit.Shortage;
import java.util.List;

/**
 * Why no room is kept for a workload.
 *
 * @param shortage what its pods lack
 * @param taints for which nodes were passed over
 * @param ahead to how many pods without a workload room is left
 */
record Refusal(Shortage shortage, List<RepellingTaint> taints, int ahead) {
  Refusal {
    taints = List.copyOf(taints);
  }
}
