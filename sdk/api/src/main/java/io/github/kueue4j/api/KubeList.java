/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.api;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ListMeta;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The answer to a list request.
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
