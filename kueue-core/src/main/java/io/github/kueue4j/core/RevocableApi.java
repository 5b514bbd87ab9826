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
package io.github.kueue4j.core;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.ListOptions;
import io.github.kueue4j.runtime.Patch;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import io.github.kueue4j.runtime.ResourceList;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * An API that can be taken away in the middle of things, as if the process had died: what was sent
 * may still arrive, nothing else is.
 */
final class RevocableApi implements KubernetesApi {
  private final KubernetesApi api;
  private volatile boolean revoked;

  RevocableApi(KubernetesApi api) {
    this.api = api;
  }

  void revoke() {
    revoked = true;
  }

  /** A reconciler that gives up silently once the API is gone: a killed process says nothing. */
  Reconciler endingWithIt(Reconciler reconciler) {
    return key -> {
      try {
        return reconciler.reconcile(key);
      } catch (CancellationException e) {
        if (revoked) {
          return Requeue.never();
        }
        throw e;
      }
    };
  }

  private KubernetesApi api() {
    if (revoked) {
      throw new CancellationException("the core was stopped abruptly; start a new one");
    }
    return api;
  }

  @Override
  public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    return api().get(type, key);
  }

  @Override
  public <T extends KubernetesObject> ResourceList<T> list(
      ResourceType<T> type, ListOptions options) {
    return api().list(type, options);
  }

  @Override
  public <T extends KubernetesObject> T create(ResourceType<T> type, T object) {
    return api().create(type, object);
  }

  @Override
  public <T extends KubernetesObject> T patch(ResourceType<T> type, ObjectKey key, Patch patch) {
    return api().patch(type, key, patch);
  }

  @Override
  public <T extends KubernetesObject> T patchStatus(
      ResourceType<T> type, ObjectKey key, Patch patch) {
    return api().patchStatus(type, key, patch);
  }

  @Override
  public <T extends KubernetesObject> T patch(ResourceType<T> type, GuardedPatch<T> patch) {
    return api().patch(type, patch);
  }

  @Override
  public <T extends KubernetesObject> T patchStatus(ResourceType<T> type, GuardedPatch<T> patch) {
    return api().patchStatus(type, patch);
  }

  @Override
  public boolean delete(ResourceType<?> type, ObjectKey key, DeleteOptions options) {
    return api().delete(type, key, options);
  }

  @Override
  public boolean serves(ResourceType<?> type) {
    return api().serves(type);
  }

  @Override
  public String serverVersion() {
    return api().serverVersion();
  }
}
