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
 * A question to the cluster autoscaler for room for a set of pods ({@code
 * autoscaling.x-k8s.io/v1}).
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the pods; empty when absent
 * @param status the answer; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisioningRequest(
    V1ObjectMeta metadata, @Required ProvisioningRequestSpec spec, ProvisioningRequestStatus status)
    implements ApiObject {
  public ProvisioningRequest {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? ProvisioningRequestSpec.empty() : spec;
    status = status == null ? ProvisioningRequestStatus.empty() : status;
  }

  /** A request for nothing yet. */
  public static ProvisioningRequest named(String namespace, String name) {
    return new ProvisioningRequest(
        new V1ObjectMeta().namespace(namespace).name(name),
        ProvisioningRequestSpec.empty(),
        ProvisioningRequestStatus.empty());
  }

  @Override
  public ResourceType<ProvisioningRequest> type() {
    return KueueTypes.PROVISIONING_REQUEST;
  }

  /** A copy with another {@code metadata}. */
  public ProvisioningRequest withMetadata(V1ObjectMeta metadata) {
    return new ProvisioningRequest(metadata, spec, status);
  }

  /** A copy with another {@code spec}. */
  public ProvisioningRequest withSpec(ProvisioningRequestSpec spec) {
    return new ProvisioningRequest(metadata, spec, status);
  }

  /** A copy with another {@code status}. */
  public ProvisioningRequest withStatus(ProvisioningRequestStatus status) {
    return new ProvisioningRequest(metadata, spec, status);
  }
}
