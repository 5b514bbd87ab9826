// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A named priority for workloads, independent of the priority of their pods.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param value the priority; the higher precedes
 * @param description for people, at most 2048 characters
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WorkloadPriorityClass(
    V1ObjectMeta metadata, @Required int value, @Nullable String description) implements ApiObject {
  public WorkloadPriorityClass {
    metadata = metadata == null ? new V1ObjectMeta() : metadata;
  }

  /** A class with this priority. */
  public static WorkloadPriorityClass of(String name, int value) {
    return new WorkloadPriorityClass(new V1ObjectMeta().name(name), value, null);
  }

  @Override
  public ResourceType<WorkloadPriorityClass> type() {
    return KueueTypes.WORKLOAD_PRIORITY_CLASS;
  }

  /** A copy with another {@code metadata}. */
  public WorkloadPriorityClass withMetadata(V1ObjectMeta metadata) {
    return new WorkloadPriorityClass(metadata, value, description);
  }
}
