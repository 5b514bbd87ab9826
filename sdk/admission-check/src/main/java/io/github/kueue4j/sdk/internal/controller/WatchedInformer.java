// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The view of an author on an informer. */
record WatchedInformer<T extends KubernetesObject>(Informer<T> informer) implements Watched<T> {

  /**
   * The informer behind it.
   *
   * @throws IllegalArgumentException if it is an author's own implementation
   */
  static <T extends KubernetesObject> WatchedInformer<T> of(Watched<T> watched) {
    if (watched instanceof WatchedInformer<T> own) {
      return own;
    }
    throw new IllegalArgumentException(
        "only what the controller's builder watches can be maintained: pass what watch(...) or"
            + " workloads() returned");
  }

  @Override
  public Optional<T> get(ObjectKey key) {
    return informer.get(key);
  }

  @Override
  public List<T> list() {
    return informer.list();
  }

  @Override
  public void onChange(Consumer<ObjectKey> handler) {
    informer.onChange(change -> handler.accept(change.key()));
  }
}
