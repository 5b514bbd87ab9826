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

  /** Parameters that say nothing yet. */
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
