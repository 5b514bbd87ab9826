// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * The unit of admission: the pod sets of a job, its queue and the state of its admission.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the request; empty when absent
 * @param status the state of the admission; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Workload(V1ObjectMeta metadata, WorkloadSpec spec, WorkloadStatus status)
    implements ApiObject {
  public Workload {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? WorkloadSpec.empty() : spec;
    status = status == null ? WorkloadStatus.empty() : status;
  }

  /** A workload with an empty spec. */
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

  /** What the conditions in the status say. */
  public WorkloadConditions conditions() {
    return new WorkloadConditions(status.conditions());
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
