// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ListMeta;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The response to a list request.
 *
 * @param <T> the class of the items
 * @param apiVersion of the list; may be empty
 * @param kind of the list, for example {@code WorkloadList}; may be empty
 * @param metadata resourceVersion, and {@code continue} when there is more
 * @param items the objects of this page
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record KubeList<T extends KubernetesObject>(
    String apiVersion, String kind, V1ListMeta metadata, List<T> items)
    implements KubernetesListObject {

  public KubeList {
    apiVersion = Lenient.text(apiVersion);
    kind = Lenient.text(kind);
    metadata = metadata == null ? new V1ListMeta() : metadata;
    items = Lenient.list(items);
  }

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  @Override
  public String getKind() {
    return kind;
  }

  @Override
  public V1ListMeta getMetadata() {
    return metadata;
  }

  @Override
  public List<T> getItems() {
    return items;
  }
}
