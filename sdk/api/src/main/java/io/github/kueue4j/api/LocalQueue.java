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
 * The door of a namespace to a ClusterQueue.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param spec where it leads; empty when absent
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

  /** A queue that leads nowhere yet. */
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
