// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * A kind of nodes on which quota is counted.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the nodes; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceFlavor(V1ObjectMeta metadata, ResourceFlavorSpec spec) implements ApiObject {
  public ResourceFlavor {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? ResourceFlavorSpec.empty() : spec;
  }

  /** A flavor of all nodes. */
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
