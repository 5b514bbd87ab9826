// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Resources with quota on the same flavors.
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
}
