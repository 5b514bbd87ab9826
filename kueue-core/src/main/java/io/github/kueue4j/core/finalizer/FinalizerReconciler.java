// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.finalizer;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Keeps objects of one kind from disappearing while they are in use: adds a finalizer to them, and
 * removes it from a deleted object once no other object needs it. Until then an event on the object
 * says what needs it, once for each cause: the client that deletes it waits without a word.
 */
final class FinalizerReconciler<T extends KubernetesObject> implements Reconciler {
  private final FreshCache<T> cache;
  private final InUse inUse;
  private final EventRecorder events;
  private final BiFunction<T, V1ObjectMeta, T> withMetadata;

  /** The last event on each object that is being deleted and can't go. */
  private final Map<String, String> told = new ConcurrentHashMap<>();

  /** The objects that need another one. */
  @FunctionalInterface
  interface InUse {
    /** Why the object of that name can't go, and what to do; empty if it can. */
    Optional<String> why(String name) throws InterruptedException;
  }

  FinalizerReconciler(
      FreshCache<T> cache,
      InUse inUse,
      EventRecorder events,
      BiFunction<T, V1ObjectMeta, T> withMetadata) {
    this.cache = cache;
    this.inUse = inUse;
    this.events = events;
    this.withMetadata = withMetadata;
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws InterruptedException {
    return cache.inTurn(key, () -> write(key));
  }

  private Requeue write(ObjectKey key) throws InterruptedException {
    Optional<T> object = cache.get(key);
    if (object.isPresent()) {
      try {
        apply(key, object.get());
      } catch (KubernetesApiException.Conflict e) {
        Optional<T> live = cache.live(key);
        if (live.isPresent()) {
          apply(key, live.get());
        }
      } catch (KubernetesApiException.NotFound e) {
        cache.forget(key);
      }
    }
    return Requeue.never();
  }

  private void apply(ObjectKey key, T object) throws InterruptedException {
    V1ObjectMeta metadata =
        KueueJson.copyOf(Objects.requireNonNull(object.getMetadata()), V1ObjectMeta.class);
    List<String> finalizers =
        new ArrayList<>(Objects.requireNonNullElse(metadata.getFinalizers(), List.of()));
    boolean changed =
        Health.terminating(object)
            ? finalizers.contains(Keys.FINALIZER)
                && mayGo(key, object)
                && finalizers.remove(Keys.FINALIZER)
            : !finalizers.contains(Keys.FINALIZER) && finalizers.add(Keys.FINALIZER);
    if (!changed) {
      return;
    }
    metadata.setFinalizers(finalizers.isEmpty() ? null : finalizers);
    cache.write(GuardedPatch.between(object, withMetadata.apply(object, metadata)));
  }

  private boolean mayGo(ObjectKey key, T object) throws InterruptedException {
    Optional<String> why = inUse.why(key.name());
    if (why.isEmpty()) {
      told.remove(Uids.of(object));
    } else if (!why.get().equals(told.put(Uids.of(object), why.get()))) {
      events.warning(object, "DeletionWaits", "DeletionWaits", why.get());
    }
    return why.isEmpty();
  }
}
