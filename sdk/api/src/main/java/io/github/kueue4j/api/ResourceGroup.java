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

import java.util.List;
import org.apiguardian.api.API;

/**
 * Resources that are counted on the same flavors.
 *
 * @param coveredResources resource names, 1 to 64
 * @param flavors flavors in the order in which they are tried, 1 to 64
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceGroup(
    @Required List<String> coveredResources, @Required List<FlavorQuotas> flavors) {
  public ResourceGroup {
    coveredResources = Lenient.list(coveredResources);
    flavors = Lenient.list(flavors);
  }

  /** A copy with another {@code coveredResources}. */
  public ResourceGroup withCoveredResources(List<String> coveredResources) {
    return new ResourceGroup(coveredResources, flavors);
  }

  /** A copy with another {@code flavors}. */
  public ResourceGroup withFlavors(List<FlavorQuotas> flavors) {
    return new ResourceGroup(coveredResources, flavors);
  }
}
