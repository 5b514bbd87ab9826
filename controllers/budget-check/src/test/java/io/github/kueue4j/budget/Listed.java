// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.objects.Watched;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What a watch would show. */
record Listed<T extends KubernetesObject>(List<T> list) implements Watched<T> {
  @Override
  public Optional<T> get(ObjectKey key) {
    return list.stream().filter(one -> ObjectKey.of(one).equals(key)).findFirst();
  }

  @Override
  public void onChange(Consumer<ObjectKey> handler) {
    list.stream().map(ObjectKey::of).forEach(handler);
  }
}
