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
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;

/** The resource client on a live API server. */
record ApiResources(KubernetesApi api, ServedVersion served) implements ResourceClient {

  @Override
  public <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type) {
    return served.of(type);
  }

  @Override
  public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    return api.get(served.of(type), key);
  }

  @Override
  public <T extends KubernetesObject> T createIfAbsent(ResourceType<T> type, T object) {
    try {
      return api.create(served.of(type), object);
    } catch (KubernetesApiException.AlreadyExists e) {
      // Gone again in between: the original refusal is what the caller can act on.
      return api.get(served.of(type), ObjectKey.of(object)).orElseThrow(() -> e);
    }
  }

  @Override
  public <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object) {
    try {
      return api.delete(
          served.of(type),
          ObjectKey.of(object),
          DeleteOptions.background().withUid(object.getMetadata().getUid()));
    } catch (KubernetesApiException.Conflict e) {
      // Another one has its name by now, so this one is gone.
      return false;
    }
  }
}
