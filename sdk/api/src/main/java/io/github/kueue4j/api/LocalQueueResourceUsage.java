// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The use of one resource on one flavor through a LocalQueue.
 *
 * @param name the resource
 * @param total all in use
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LocalQueueResourceUsage(@Required String name, @Nullable Quantity total) {
  public LocalQueueResourceUsage {
    name = Lenient.text(name);
  }
}
