// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * A request to the cluster autoscaler for capacity for a set of pods ({@code
 * autoscaling.x-k8s.io/v1}).
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the pods; empty when absent
 * @param status the autoscaler's response; empty when absent
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

  /** An empty request. */
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
