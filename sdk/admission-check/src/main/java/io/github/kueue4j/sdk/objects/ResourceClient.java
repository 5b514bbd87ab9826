// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.objects;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Creates, reads, changes and deletes the objects that a check owns. The statuses of Workloads and
 * AdmissionChecks are not among them: the controller writes those.
 *
 * <p>Methods block, and throw an unchecked exception that names the request if the API server
 * refuses or can't be reached; don't catch it, the controller treats it as a failed evaluation. It
 * is a {@link io.github.kueue4j.sdk.BackendUnavailableException} if the server can't answer
 * whatever the object: unreachable, overloaded, or without knowing this client.
 *
 * <pre>{@code
 * ResourceClient resources = builder.resources();
 * boolean there = resources.get(CoreTypes.CONFIG_MAP, new ObjectKey("team-a", "bookings")).isPresent();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ResourceClient {

  /**
   * The type in the version that the server serves: older servers have Kueue's kinds in {@code
   * v1beta1} only. The other methods convert types themselves; references to objects need this one.
   */
  <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type);

  /**
   * Reads one object live.
   *
   * @throws io.github.kueue4j.sdk.objects.ForbiddenException if the controller has no right to read
   *     it
   */
  <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key);

  /**
   * Creates the object unless one of its name exists.
   *
   * @return the object that exists now: the new one, or the one found, which may belong to another
   *     owner
   */
  <T extends KubernetesObject> T createIfAbsent(ResourceType<T> type, T object);

  /**
   * Changes the object (not its status), as long as it is as it was read.
   *
   * @param seen the object as it was read
   * @param change a JSON merge patch (RFC 7386) of maps, lists, texts, numbers and flags: what it
   *     names is replaced, lists as a whole, and null removes
   * @return the object as it is now
   * @throws io.github.kueue4j.sdk.objects.ConflictException if the object was changed or deleted
   *     since it was read; nothing is written then
   */
  <T extends KubernetesObject> T patch(
      ResourceType<T> type, T seen, Map<String, ? extends @Nullable Object> change);

  /**
   * Changes the status of the object, as long as the object is as it was read.
   *
   * @param seen the object as it was read
   * @param status a JSON merge patch of its {@code status}
   * @return the object as it is now
   * @throws io.github.kueue4j.sdk.objects.ConflictException if the object was changed or deleted
   *     since it was read; nothing is written then
   * @throws IllegalArgumentException if the type is Workload or AdmissionCheck
   */
  <T extends KubernetesObject> T patchStatus(
      ResourceType<T> type, T seen, Map<String, ? extends @Nullable Object> status);

  /**
   * Deletes this very object and what it owns. Another object that was created under its name since
   * it was read stays.
   *
   * @return whether it existed
   */
  <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object);

  /**
   * Deletes the object and what it owns, as long as it is as it was read.
   *
   * @param seen the object as it was read
   * @return whether it existed
   * @throws io.github.kueue4j.sdk.objects.ConflictException if the object was changed since it was
   *     read, or another one was created under its name; nothing is deleted then
   */
  <T extends KubernetesObject> boolean deleteUnchanged(ResourceType<T> type, T seen);
}
