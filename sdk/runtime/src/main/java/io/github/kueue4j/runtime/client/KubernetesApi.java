// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.Patch;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Direct access to the API server: every read is live, and responses are parsed leniently.
 *
 * <p>All methods throw a {@link KubernetesApiException} of the matching kind if the server refuses,
 * and {@link KubernetesApiException.Unreachable} if it doesn't answer within the call timeout. They
 * don't retry. There is no update (PUT) on purpose; see {@link Patch}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface KubernetesApi {

  /**
   * Reads one object; empty if there is none, which includes a key that no object can have, such as
   * one from an owner reference with a name like {@code ../jobs}. Its managed fields are left out.
   *
   * @throws KubernetesApiException.Malformed if the object can't be read
   */
  <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key);

  /**
   * Reads all pages of a list. If a continue token expires in between, it starts again. An object
   * that can't be read is logged and left out.
   */
  <T extends KubernetesObject> ResourceList<T> list(ResourceType<T> type, ListOptions options);

  /**
   * Creates the object in its own namespace and returns it as the server stored it. A {@code
   * generateName} is honoured.
   */
  <T extends KubernetesObject> T create(ResourceType<T> type, T object);

  /**
   * Asks what {@link #create} would do, without storing anything ({@code dryRun=All}): the server
   * checks rights, schema and quotas, and its webhooks review the object. Throws what {@code
   * create} would.
   */
  <T extends KubernetesObject> T createDryRun(ResourceType<T> type, T object);

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
   * Writes the difference, guarded by the resourceVersion that was read. Without a difference, no
   * request is sent and {@code before} is returned.
   *
   * @throws KubernetesApiException.Conflict if the object changed in between
   * @throws IllegalArgumentException if the difference touches the status
   */
  <T extends KubernetesObject> T patch(ResourceType<T> type, GuardedPatch<T> patch);

  /**
   * Writes the difference of the status, guarded by the resourceVersion that was read. Without a
   * difference, no request is sent and {@code before} is returned.
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
