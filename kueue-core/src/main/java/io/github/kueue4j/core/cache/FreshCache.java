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
package io.github.kueue4j.core.cache;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
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
 * An informer's cache that never shows less than what we have written or read ourselves: without it
 * every second step on an object would start from a stale copy and end in a conflict. Thread-safe.
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

  /** A cache over an informer; forgets what the informer sees deleted. */
  public static <T extends KubernetesObject> FreshCache<T> over(
      Informer<T> informer, ResourceType<T> type, KubernetesApi api) {
    return over(informer, type, api, (read, known) -> read);
  }

  /**
   * A cache over an informer whose objects are trimmed.
   *
   * @param trim does the same to what is written or read here; may be given what it has returned
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

  /** The newest version known here. */
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

  /** The version that the API server has now. */
  public Optional<T> live(ObjectKey key) {
    Optional<T> read = api.get(type, key).map(this::saw);
    if (read.isEmpty()) {
      ahead.remove(key);
    }
    return read;
  }

  /**
   * Remembers what a write has returned.
   *
   * @return what is kept of it
   */
  public T saw(T object) {
    T kept = trim.apply(object, get(ObjectKey.of(object)));
    ahead.put(ObjectKey.of(kept), kept);
    return kept;
  }

  private void gone(T object) {
    // A namesake that was created since then is another object.
    ahead.computeIfPresent(
        ObjectKey.of(object), (key, own) -> Uids.of(object).equals(Uids.of(own)) ? null : own);
  }

  /** The object is about to go: only the informer counts. */
  public void forget(ObjectKey key) {
    ahead.remove(key);
  }
}
