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
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The pods for which room is asked.
 *
 * @param provisioningClassName how the room is provided, for example {@code check-
 *     capacity.autoscaling.x-k8s.io}
 * @param podSets 1 to 32
 * @param parameters of the class, at most 100
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningRequestSpec(
    @Required String provisioningClassName,
    @Required List<ProvisioningRequestPodSet> podSets,
    Map<String, String> parameters) {
  public ProvisioningRequestSpec {
    provisioningClassName = Lenient.text(provisioningClassName);
    podSets = Lenient.list(podSets);
    parameters = Lenient.map(parameters);
  }

  /** The spec of an object that says nothing: every field absent or at its default. */
  public static ProvisioningRequestSpec empty() {
    return new ProvisioningRequestSpec("", List.of(), Map.of());
  }

  /** A copy with another {@code provisioningClassName}. */
  public ProvisioningRequestSpec withProvisioningClassName(String provisioningClassName) {
    return new ProvisioningRequestSpec(provisioningClassName, podSets, parameters);
  }

  /** A copy with another {@code podSets}. */
  public ProvisioningRequestSpec withPodSets(List<ProvisioningRequestPodSet> podSets) {
    return new ProvisioningRequestSpec(provisioningClassName, podSets, parameters);
  }

  /** A copy with another {@code parameters}. */
  public ProvisioningRequestSpec withParameters(Map<String, String> parameters) {
    return new ProvisioningRequestSpec(provisioningClassName, podSets, parameters);
  }
}
