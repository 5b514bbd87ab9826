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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The API server, spoken to directly: every read is live, every answer is parsed leniently.
 *
 * <p>All methods throw a {@link KubernetesApiException} of the matching kind when the server
 * refuses, and {@link KubernetesApiException.Unreachable} when no answer comes within the call
 * timeout. Nothing is retried here. There is no update (PUT) on purpose; see {@link Patch}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface KubernetesApi {

  /** Reads one object; empty if there is none. */
  <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key);

  /** Reads all pages of a list. If a continue token expires in between, it starts anew. */
  <T extends KubernetesObject> ResourceList<T> list(ResourceType<T> type, ListOptions options);

  /**
   * Creates the object in its own namespace and returns what the server made of it. A {@code
   * generateName} is honoured.
   */
  <T extends KubernetesObject> T create(ResourceType<T> type, T object);

  /**
   * Patches the object (not its status) and returns the new state.
   *
   * @throws IllegalArgumentException if the patch is empty
   */
  <T extends KubernetesObject> T patch(ResourceType<T> type, ObjectKey key, Patch patch);

  /**
   * Patches the status subresource and returns the new state.
   *
   * @throws IllegalArgumentException if the patch is empty
   */
  <T extends KubernetesObject> T patchStatus(ResourceType<T> type, ObjectKey key, Patch patch);

  /**
   * Writes the difference, guarded by the resourceVersion that was read; without a difference
   * nothing is sent and {@code before} is returned.
   *
   * @throws KubernetesApiException.Conflict if the object changed in between
   * @throws IllegalArgumentException if the difference touches the status
   */
  <T extends KubernetesObject> T patch(ResourceType<T> type, GuardedPatch<T> patch);

  /**
   * Writes the difference of the status, guarded by the resourceVersion that was read; without a
   * difference nothing is sent and {@code before} is returned.
   *
   * @throws KubernetesApiException.Conflict if the object changed in between
   * @throws IllegalArgumentException if the difference touches anything but the status
   */
  <T extends KubernetesObject> T patchStatus(ResourceType<T> type, GuardedPatch<T> patch);

  /**
   * Deletes one object.
   *
   * @return whether there was one
   */
  boolean delete(ResourceType<?> type, ObjectKey key, DeleteOptions options);

  /** Whether the server serves this group, version and resource now. */
  boolean serves(ResourceType<?> type);

  /** The server's version, for example {@code v1.33.1}. */
  String serverVersion();
}
