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
 * @param count number of pods admitted, 0 or more; with partial admission fewer than asked for
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

  /** A copy with another {@code name}. */
  public PodSetAssignment withName(String name) {
    return new PodSetAssignment(name, flavors, resourceUsage, count);
  }

  /** A copy with another {@code flavors}. */
  public PodSetAssignment withFlavors(Map<String, String> flavors) {
    return new PodSetAssignment(name, flavors, resourceUsage, count);
  }

  /** A copy with another {@code resourceUsage}. */
  public PodSetAssignment withResourceUsage(Map<String, Quantity> resourceUsage) {
    return new PodSetAssignment(name, flavors, resourceUsage, count);
  }

  /** A copy with another {@code count}. */
  public PodSetAssignment withCount(@Nullable Integer count) {
    return new PodSetAssignment(name, flavors, resourceUsage, count);
  }
}
