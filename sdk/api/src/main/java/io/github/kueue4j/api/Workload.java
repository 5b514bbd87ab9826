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
 * One unit of admission: the pod sets of a job, the queue it waits in and how far its admission
 * got.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec what is asked for; empty when absent
 * @param status what was decided; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Workload(V1ObjectMeta metadata, WorkloadSpec spec, WorkloadStatus status)
    implements ApiObject {
  public Workload {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? WorkloadSpec.empty() : spec;
    status = status == null ? WorkloadStatus.empty() : status;
  }

  /** A workload that asks for nothing yet. */
  public static Workload named(String namespace, String name) {
    return new Workload(
        new V1ObjectMeta().namespace(namespace).name(name),
        WorkloadSpec.empty(),
        WorkloadStatus.empty());
  }

  @Override
  public ResourceType<Workload> type() {
    return KueueTypes.WORKLOAD;
  }

  /** A copy with another {@code metadata}. */
  public Workload withMetadata(V1ObjectMeta metadata) {
    return new Workload(metadata, spec, status);
  }

  /** A copy with another {@code spec}. */
  public Workload withSpec(WorkloadSpec spec) {
    return new Workload(metadata, spec, status);
  }

  /** A copy with another {@code status}. */
  public Workload withStatus(WorkloadStatus status) {
    return new Workload(metadata, spec, status);
  }
}
