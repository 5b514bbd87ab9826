// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Many watched objects, found by their keys. */
final class MapObjects<T extends KubernetesObject> implements Watched<T> {
  private final Map<ObjectKey, T> objects = new LinkedHashMap<>();
  private final List<Consumer<ObjectKey>> handlers = new ArrayList<>();

  void put(T object) {
    ObjectKey key = ObjectKey.of(object);
    objects.put(key, object);
    handlers.forEach(handler -> handler.accept(key));
  }

  void remove(ObjectKey key) {
    objects.remove(key);
    handlers.forEach(handler -> handler.accept(key));
  }

  @Override
  public Optional<T> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  @Override
  public List<T> list() {
    return List.copyOf(objects.values());
  }

  @Override
  public void onChange(Consumer<ObjectKey> handler) {
    objects.keySet().forEach(handler);
    handlers.add(handler);
  }
}
