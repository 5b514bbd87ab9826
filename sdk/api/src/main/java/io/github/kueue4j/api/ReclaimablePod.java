// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/**
 * The number of a pod set's pods that will never run again, so that their quota is released
 * (KEP-78).
 *
 * @param name the pod set
 * @param count 0 or more
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ReclaimablePod(@Required String name, @Required int count) {
  public ReclaimablePod {
    name = Lenient.text(name);
  }
}
