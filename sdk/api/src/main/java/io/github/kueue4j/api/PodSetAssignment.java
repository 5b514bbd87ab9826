// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The flavors and the quota of one pod set.
 *
 * @param name the pod set; absent is {@code main}
 * @param flavors resource name to ResourceFlavor name
 * @param resourceUsage resource name to the total for all {@code count} pods; not lowered by
 *     reclaimable pods
 * @param count number of pods admitted, 0 or more; with partial admission fewer than requested
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSetAssignment(
    String name,
    Map<String, String> flavors,
    Map<String, Quantity> resourceUsage,
    @Nullable Integer count) {
  public PodSetAssignment {
    name = name == null ? "main" : name;
    flavors = Lenient.map(flavors);
    resourceUsage = Lenient.map(resourceUsage);
  }
}
