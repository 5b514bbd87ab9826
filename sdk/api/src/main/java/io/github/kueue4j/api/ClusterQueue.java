// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * A pool of quota with the rules by which workloads are admitted to it.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec quota and rules; empty when absent
 * @param status usage; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ClusterQueue(V1ObjectMeta metadata, ClusterQueueSpec spec, ClusterQueueStatus status)
    implements ApiObject {
  public ClusterQueue {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? ClusterQueueSpec.empty() : spec;
    status = status == null ? ClusterQueueStatus.empty() : status;
  }

  /** A queue without quota. */
  public static ClusterQueue named(String name) {
    return new ClusterQueue(
        new V1ObjectMeta().name(name), ClusterQueueSpec.empty(), ClusterQueueStatus.empty());
  }

  @Override
  public ResourceType<ClusterQueue> type() {
    return KueueTypes.CLUSTER_QUEUE;
  }

  /** A copy with another {@code metadata}. */
  public ClusterQueue withMetadata(V1ObjectMeta metadata) {
    return new ClusterQueue(metadata, spec, status);
  }

  /** A copy with another {@code spec}. */
  public ClusterQueue withSpec(ClusterQueueSpec spec) {
    return new ClusterQueue(metadata, spec, status);
  }

  /** A copy with another {@code status}. */
  public ClusterQueue withStatus(ClusterQueueStatus status) {
    return new ClusterQueue(metadata, spec, status);
  }
}
