// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/**
 * A queue in a namespace, through which workloads are submitted to a ClusterQueue.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec the ClusterQueue that it points to; empty when absent
 * @param status usage; empty when absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LocalQueue(V1ObjectMeta metadata, LocalQueueSpec spec, LocalQueueStatus status)
    implements ApiObject {
  public LocalQueue {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
    spec = spec == null ? LocalQueueSpec.empty() : spec;
    status = status == null ? LocalQueueStatus.empty() : status;
  }

  /** A queue without a ClusterQueue. */
  public static LocalQueue named(String namespace, String name) {
    return new LocalQueue(
        new V1ObjectMeta().namespace(namespace).name(name),
        LocalQueueSpec.empty(),
        LocalQueueStatus.empty());
  }

  @Override
  public ResourceType<LocalQueue> type() {
    return KueueTypes.LOCAL_QUEUE;
  }

  /** A copy with another {@code metadata}. */
  public LocalQueue withMetadata(V1ObjectMeta metadata) {
    return new LocalQueue(metadata, spec, status);
  }

  /** A copy with another {@code spec}. */
  public LocalQueue withSpec(LocalQueueSpec spec) {
    return new LocalQueue(metadata, spec, status);
  }

  /** A copy with another {@code status}. */
  public LocalQueue withStatus(LocalQueueStatus status) {
    return new LocalQueue(metadata, spec, status);
  }
}
