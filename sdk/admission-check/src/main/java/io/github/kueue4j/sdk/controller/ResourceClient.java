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
package io.github.kueue4j.sdk.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Objects that belong to a check: it may create, read and delete them. Statuses of Workloads and
 * AdmissionChecks are none of its business; the controller writes those.
 *
 * <p>Methods block, and throw an unchecked exception that names the request if the API server
 * refuses or can't be reached; let it pass, the controller knows what to do.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ResourceClient {

  /**
   * The type in the version that the server speaks: older servers have Kueue's kinds in {@code
   * v1beta1} only. The other methods see to that themselves; references to objects need it.
   */
  <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type);

  /** Reads one object live. */
  <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key);

  /**
   * Creates the object unless one of its name is there.
   *
   * @return the object that is there now: the new one, or the one found, which may be another's
   */
  <T extends KubernetesObject> T createIfAbsent(ResourceType<T> type, T object);

  /**
   * Deletes this very object; what it owns goes with it. Another one that was created under its
   * name since it was read stays.
   *
   * @return whether it was there
   */
  <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object);
}
