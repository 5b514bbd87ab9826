// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * The parameters of the provisioning check: which ProvisioningRequests it creates.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the parameters; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningRequestConfig(V1ObjectMeta metadata, ProvisioningRequestConfigSpec spec)
    implements ApiObject {
  public ProvisioningRequestConfig {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? ProvisioningRequestConfigSpec.empty() : spec;
  }

  /** Empty parameters. */
  public static ProvisioningRequestConfig named(String name) {
    return new ProvisioningRequestConfig(
        new V1ObjectMeta().name(name), ProvisioningRequestConfigSpec.empty());
  }

  @Override
  public ResourceType<ProvisioningRequestConfig> type() {
    return KueueTypes.PROVISIONING_REQUEST_CONFIG;
  }

  /** A copy with another {@code metadata}. */
  public ProvisioningRequestConfig withMetadata(V1ObjectMeta metadata) {
    return new ProvisioningRequestConfig(metadata, spec);
  }

  /** A copy with another {@code spec}. */
  public ProvisioningRequestConfig withSpec(ProvisioningRequestConfigSpec spec) {
    return new ProvisioningRequestConfig(metadata, spec);
  }
}
