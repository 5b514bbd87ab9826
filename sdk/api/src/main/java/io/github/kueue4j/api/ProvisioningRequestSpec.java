// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The pods for which capacity is requested.
 *
 * @param provisioningClassName how the capacity is provided, for example {@code check-
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
}
