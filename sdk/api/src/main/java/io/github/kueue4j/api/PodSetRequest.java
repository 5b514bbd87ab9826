// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * The resource requests of one pod set, present while nothing is reserved.
 *
 * @param name the pod set
 * @param resources resource name to the total for all its pods
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSetRequest(@Required String name, Map<String, Quantity> resources) {
  public PodSetRequest {
    name = Lenient.text(name);
    resources = Lenient.map(resources);
  }
}
