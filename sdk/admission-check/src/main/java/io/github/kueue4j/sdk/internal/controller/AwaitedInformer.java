// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.InformerHealth;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The informer of a kind that the API server may not serve yet: empty until it does. */
final class AwaitedInformer<T extends KubernetesObject> implements Informer<T> {

  private final ResourceType<T> type;
  private final Supplier<Informer<T>> registration;

  /** Waiting for the informer; guarded by this object's monitor. */
  private final List<Handler<T>> waiting = new ArrayList<>();

  private volatile @Nullable Informer<T> informer;

  /**
   * An informer that isn't there yet.
   *
   * @param registration creates it, once the kind is served
   */
  AwaitedInformer(ResourceType<T> type, Supplier<Informer<T>> registration) {
    this.type = type;
    this.registration = registration;
  }

  ResourceType<T> type() {
    return type;
  }

  /** Whether the informer is there, though perhaps not synced. */
  boolean isThere() {
    return informer != null;
  }

  /** The kind is served from now on. */
  synchronized void appear() {
    if (informer == null) {
      Informer<T> now = registration.get();
      waiting.forEach(handler -> handler.register(now));
      waiting.clear();
      informer = now;
    }
  }

  @Override
  public Optional<T> get(ObjectKey key) {
    @Nullable Informer<T> now = informer;
    return now == null ? Optional.empty() : now.get(key);
  }

  @Override
  public List<T> list() {
    @Nullable Informer<T> now = informer;
    return now == null ? List.of() : now.list();
  }

  @Override
  public List<T> byIndex(String index, String value) {
    @Nullable Informer<T> now = informer;
    return now == null ? List.of() : now.byIndex(index, value);
  }

  @Override
  public synchronized Registration onChange(Consumer<Change<T>> handler) {
    @Nullable Informer<T> now = informer;
    if (now != null) {
      return now.onChange(handler);
    }
    Handler<T> later = new Handler<>(handler);
    waiting.add(later);
    return later;
  }

  @Override
  public boolean synced() {
    @Nullable Informer<T> now = informer;
    return now != null && now.synced();
  }

  @Override
  public InformerHealth health() {
    @Nullable Informer<T> now = informer;
    return now == null ? InformerHealth.awaiting(type.qualifiedName()) : now.health();
  }

  /** A handler that is registered once there is an informer. */
  private static final class Handler<T extends KubernetesObject> implements Registration {
    private final Consumer<Change<T>> handler;
    private @Nullable Registration registered; // Guarded by this object's monitor.
    private boolean closed; // Guarded by this object's monitor.

    Handler(Consumer<Change<T>> handler) {
      this.handler = handler;
    }

    synchronized void register(Informer<T> informer) {
      if (!closed) {
        registered = informer.onChange(handler);
      }
    }

    @Override
    public synchronized void close() {
      closed = true;
      if (registered != null) {
        registered.close();
      }
    }
  }
}
