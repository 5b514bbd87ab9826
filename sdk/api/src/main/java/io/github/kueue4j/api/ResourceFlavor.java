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

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * A kind of nodes on which quota is counted.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec which nodes; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceFlavor(V1ObjectMeta metadata, ResourceFlavorSpec spec) implements ApiObject {
  public ResourceFlavor {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? ResourceFlavorSpec.empty() : spec;
  }

  /** A flavor that stands for any node. */
  public static ResourceFlavor named(String name) {
    return new ResourceFlavor(new V1ObjectMeta().name(name), ResourceFlavorSpec.empty());
  }

  @Override
  public ResourceType<ResourceFlavor> type() {
    return KueueTypes.RESOURCE_FLAVOR;
  }

  /** A copy with another {@code metadata}. */
  public ResourceFlavor withMetadata(V1ObjectMeta metadata) {
    return new ResourceFlavor(metadata, spec);
  }

  /** A copy with another {@code spec}. */
  public ResourceFlavor withSpec(ResourceFlavorSpec spec) {
    return new ResourceFlavor(metadata, spec);
  }
}
