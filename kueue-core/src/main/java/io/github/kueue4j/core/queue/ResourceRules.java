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

import io.github.kueue4j.api.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * What of a pod's resources needs quota, by the block {@code resources} of the configuration.
 *
 * @param excludedPrefixes resources whose names start so need no quota
 * @param transformations resources that count as others, at most one per input
 * @param ignoresUndeclared whether resources that a ClusterQueue doesn't cover need no quota there
 */
@API(status = API.Status.INTERNAL)
public record ResourceRules(
    List<String> excludedPrefixes,
    List<Transformation> transformations,
    boolean ignoresUndeclared) {
  public ResourceRules {
    excludedPrefixes = List.copyOf(excludedPrefixes);
    transformations = List.copyOf(transformations);
  }

  /** Every resource needs quota of its own. */
  public static ResourceRules plain() {
    return new ResourceRules(List.of(), List.of(), false);
  }

  Map<String, Quantity> counted(Map<String, Quantity> requests) {
    Map<String, Quantity> included = new HashMap<>(requests);
    included.keySet().removeIf(name -> excludedPrefixes.stream().anyMatch(name::startsWith));
    return Transformation.apply(transformations, included);
  }
}
