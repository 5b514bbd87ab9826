// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.client.ResourceList;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.Patch;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * An API whose access can be revoked at any moment, as if the process had died: requests that were
 * sent may still arrive, and no other is sent.
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

  /** A reconciler that ends silently once the API is revoked: a killed process logs nothing. */
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
  public <T extends KubernetesObject> T createDryRun(ResourceType<T> type, T object) {
    return api().createDryRun(type, object);
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
