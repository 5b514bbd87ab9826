// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A watch that shows what a test gives it. */
final class Shown<T extends KubernetesObject> implements Watched<T> {
  private final Map<ObjectKey, T> objects = new LinkedHashMap<>();
  private final List<Consumer<ObjectKey>> handlers = new ArrayList<>();
  private int lists;

  /** Shows this object, in place of the one of its name. */
  void show(T object) {
    ObjectKey key = ObjectKey.of(object);
    objects.put(key, object);
    handlers.forEach(handler -> handler.accept(key));
  }

  /** Shows that it is gone. */
  void gone(ObjectKey key) {
    objects.remove(key);
    handlers.forEach(handler -> handler.accept(key));
  }

  @Override
  public Optional<T> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  @Override
  public List<T> list() {
    lists++;
    return List.copyOf(objects.values());
  }

  /** How often all were asked for. */
  int lists() {
    return lists;
  }

  @Override
  public void onChange(Consumer<ObjectKey> handler) {
    handlers.add(handler);
    List.copyOf(objects.keySet()).forEach(handler);
  }
}
