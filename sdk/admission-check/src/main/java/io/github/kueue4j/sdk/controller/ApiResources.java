// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
      // Deleted again in between: the original refusal is what the caller can act on.
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
      // Another object has its name by now, so this one is gone.
      return false;
    }
  }
}
