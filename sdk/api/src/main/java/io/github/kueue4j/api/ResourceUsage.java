// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The use of one resource on one flavor.
 *
 * @param name the resource
 * @param total all in use, borrowed included
 * @param borrowed in use above the nominal quota
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceUsage(
    @Required String name, @Nullable Quantity total, @Nullable Quantity borrowed) {
  public ResourceUsage {
    name = Lenient.text(name);
  }
}
