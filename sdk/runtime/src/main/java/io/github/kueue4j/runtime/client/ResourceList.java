// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A consistent list: all pages of one list request.
 *
 * @param resourceVersion the version of the list, from which a watch may start
 * @param items the objects, in the server's order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceList<T extends KubernetesObject>(String resourceVersion, List<T> items) {
  public ResourceList {
    items = List.copyOf(items);
  }
}
