// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The use of one flavor through a LocalQueue.
 *
 * @param name the ResourceFlavor
 * @param resources keyed by name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LocalQueueFlavorUsage(
    @Required String name, @Required List<LocalQueueResourceUsage> resources) {
  public LocalQueueFlavorUsage {
    name = Lenient.text(name);
    resources = Lenient.list(resources);
  }
}
