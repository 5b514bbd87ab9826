// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.jobs.Unsupported;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The resources of a pod that need quota, by the block {@code resources} of the configuration.
 *
 * @param excludedPrefixes resources whose names start with one of these need no quota
 * @param transformations resources that count as others, at most one per input
 * @param ignoresUndeclared whether resources that a ClusterQueue doesn't cover need no quota there
 * @param refused what keeps a Workload from being admitted where its pods ask for it
 */
@API(status = API.Status.INTERNAL)
public record ResourceRules(
    List<String> excludedPrefixes,
    List<Transformation> transformations,
    boolean ignoresUndeclared,
    Set<Unsupported.Feature> refused) {
  public ResourceRules {
    refused = Set.copyOf(refused);
    excludedPrefixes = List.copyOf(excludedPrefixes);
    transformations = List.copyOf(transformations);
  }

  /** Rules under which every resource needs quota. */
  public static ResourceRules plain() {
    return new ResourceRules(List.of(), List.of(), false, Set.of());
  }

  Map<String, Quantity> counted(Map<String, Quantity> requests) {
    Map<String, Quantity> included = new HashMap<>(requests);
    included.keySet().removeIf(name -> excludedPrefixes.stream().anyMatch(name::startsWith));
    return Transformation.apply(transformations, included);
  }
}
