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
import org.jspecify.annotations.Nullable;

/**
 * A named priority for workloads, apart from the priority of their pods.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param value the priority, higher goes first
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

  /** A copy with another {@code value}. */
  public WorkloadPriorityClass withValue(int value) {
    return new WorkloadPriorityClass(metadata, value, description);
  }

  /** A copy with another {@code description}. */
  public WorkloadPriorityClass withDescription(@Nullable String description) {
    return new WorkloadPriorityClass(metadata, value, description);
  }
}
