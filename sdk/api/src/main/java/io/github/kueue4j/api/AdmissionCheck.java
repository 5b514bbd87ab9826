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
 * A gate that workloads must pass after quota is reserved, and the controller that answers for it.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec controller and parameters; empty when absent
 * @param status whether its controller works; empty when absent
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

  /** A check that no controller answers for yet. */
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
