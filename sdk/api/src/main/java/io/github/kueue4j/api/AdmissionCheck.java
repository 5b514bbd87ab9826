// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * A check that workloads must pass after quota is reserved, and the controller that decides it.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec controller and parameters; empty when absent
 * @param status whether the check is active; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheck(
    V1ObjectMeta metadata, AdmissionCheckSpec spec, AdmissionCheckStatus status)
    implements ApiObject {
  public AdmissionCheck {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? AdmissionCheckSpec.empty() : spec;
    status = status == null ? AdmissionCheckStatus.empty() : status;
  }

  /** A check without a controller. */
  public static AdmissionCheck named(String name) {
    return new AdmissionCheck(
        new V1ObjectMeta().name(name), AdmissionCheckSpec.empty(), AdmissionCheckStatus.empty());
  }

  @Override
  public ResourceType<AdmissionCheck> type() {
    return KueueTypes.ADMISSION_CHECK;
  }

  /** A copy with another {@code metadata}. */
  public AdmissionCheck withMetadata(V1ObjectMeta metadata) {
    return new AdmissionCheck(metadata, spec, status);
  }

  /** A copy with another {@code spec}. */
  public AdmissionCheck withSpec(AdmissionCheckSpec spec) {
    return new AdmissionCheck(metadata, spec, status);
  }

  /** A copy with another {@code status}. */
  public AdmissionCheck withStatus(AdmissionCheckStatus status) {
    return new AdmissionCheck(metadata, spec, status);
  }
}
