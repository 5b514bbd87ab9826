// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The quotas on one flavor.
 *
 * @param name the ResourceFlavor
 * @param resources one per covered resource, in the same order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FlavorQuotas(@Required String name, @Required List<ResourceQuota> resources) {
  public FlavorQuotas {
    name = Lenient.text(name);
    resources = Lenient.list(resources);
  }

  /** The quota of one resource. */
  public Optional<ResourceQuota> resource(String resource) {
    return resources.stream().filter(quota -> quota.name().equals(resource)).findFirst();
  }
}
