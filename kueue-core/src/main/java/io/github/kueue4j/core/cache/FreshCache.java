// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.cache;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.runtime.Change;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.Trim;
import io.kubernetes.client.common.KubernetesObject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * An informer's cache that never returns an object older than one that this process has written or
 * read. Without it, consecutive writes of an object would start from a stale copy and end in a
 * conflict. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class FreshCache<T extends KubernetesObject> {
  private final ResourceType<T> type;
  private final Informer<T> informer;
  private final KubernetesApi api;
  private final Trim<T> trim;
  private final Map<ObjectKey, T> ahead = new ConcurrentHashMap<>();

  private FreshCache(ResourceType<T> type, Informer<T> informer, KubernetesApi api, Trim<T> trim) {
    this.type = type;
    this.informer = informer;
    this.api = api;
    this.trim = trim;
  }

  /** A cache over an informer; removes objects whose deletion the informer sees. */
  public static <T extends KubernetesObject> FreshCache<T> over(
      Informer<T> informer, ResourceType<T> type, KubernetesApi api) {
    return over(informer, type, api, (read, known) -> read);
  }

  /**
   * A cache over an informer whose objects are trimmed.
   *
   * @param trim trims objects that are written or read here as the informer's are; must be
   *     idempotent
   */
  public static <T extends KubernetesObject> FreshCache<T> over(
      Informer<T> informer, ResourceType<T> type, KubernetesApi api, Trim<T> trim) {
    FreshCache<T> cache = new FreshCache<>(type, informer, api, trim);
    informer.onChange(
        change -> {
          if (change instanceof Change.Deleted<T> deleted) {
            cache.gone(deleted.object());
          }
        });
    return cache;
  }

  /** The newest known version. */
  public Optional<T> get(ObjectKey key) {
    Optional<T> cached = informer.get(key);
    T own = ahead.get(key);
    if (own == null) {
      return cached;
    }
    if (cached.isPresent() && !ResourceVersions.older(cached.get(), own)) {
      ahead.remove(key, own);
      return cached;
    }
    return Optional.of(own);
  }

  /** The current version, read from the API server. */
  public Optional<T> live(ObjectKey key) {
    Optional<T> read = api.get(type, key).map(this::remember);
    if (read.isEmpty()) {
      ahead.remove(key);
    }
    return read;
  }

  /**
   * Remembers the result of a write.
   *
   * @return the trimmed object that is kept
   */
  public T remember(T object) {
    T kept = trim.apply(object, get(ObjectKey.of(object)));
    ahead.put(ObjectKey.of(kept), kept);
    return kept;
  }

  private void gone(T object) {
    // An object of the same name that was created since then has another uid.
    ahead.computeIfPresent(
        ObjectKey.of(object), (key, own) -> Uids.of(object).equals(Uids.of(own)) ? null : own);
  }

  /** Forgets an object that is about to be deleted, so that only the informer counts. */
  public void forget(ObjectKey key) {
    ahead.remove(key);
  }
}
