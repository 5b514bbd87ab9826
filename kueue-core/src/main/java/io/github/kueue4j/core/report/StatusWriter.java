// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes the statuses of objects of one kind, and only the fields that have changed. */
final class StatusWriter<T extends KubernetesObject> {
  private static final int TRIES = 5;

  private final FreshCache<T> cache;
  private final Function<GuardedPatch<T>, T> send;

  StatusWriter(FreshCache<T> cache, Function<GuardedPatch<T>, T> send) {
    this.cache = cache;
    this.send = send;
  }

  /**
   * Writes the desired status of an object, unless the object is gone or has that status.
   *
   * @param desired the object with that status
   * @return whether a write was necessary
   * @throws KubernetesApiException.Conflict if other clients changed the object during every try
   */
  boolean write(ObjectKey key, UnaryOperator<T> desired) {
    Optional<T> object = cache.get(key);
    KubernetesApiException.@Nullable Conflict conflict = null;
    for (int attempt = 0; attempt < TRIES && object.isPresent(); attempt++) {
      GuardedPatch<T> patch = GuardedPatch.ofStatus(object.get(), desired.apply(object.get()));
      if (patch.isEmpty()) {
        return false;
      }
      try {
        cache.remember(send.apply(patch));
        return true;
      } catch (KubernetesApiException.NotFound e) {
        object = cache.live(key);
      } catch (KubernetesApiException.Conflict e) {
        conflict = e;
        object = cache.live(key);
      }
    }
    if (object.isPresent() && conflict != null) {
      throw conflict;
    }
    return false;
  }
}
