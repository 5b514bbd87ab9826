// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.kubernetes.client.common.KubernetesObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What informers have heard of, for tests that wait for it. */
public final class InformersRest {

  private InformersRest() {}

  /**
   * Whether every one of these caches shows what the server has now, and listeners were told.
   *
   * @param silenced plural names of types whose watches tell nothing; these are left out
   */
  public static boolean heardEverything(
      Informers informers, KubernetesApi api, Set<String> silenced) {
    return informers.snapshot().stream()
        .filter(informer -> !silenced.contains(informer.spec().type().plural()))
        .allMatch(informer -> heardEverything(informer, api));
  }

  private static <T extends KubernetesObject> boolean heardEverything(
      CachedInformer<T> informer, KubernetesApi api) {
    Informers.Spec<T> spec = informer.spec();
    boolean same =
        versions(
                spec.dispensable().isPresent() && !api.serves(spec.type())
                    ? List.of()
                    : api.list(spec.type(), spec.selection()).items())
            .equals(versions(informer.list()));
    // Comes after the handlers of what is in the cache.
    informer.onChange(change -> {}).close();
    return same;
  }

  private static Map<ObjectKey, String> versions(List<? extends KubernetesObject> objects) {
    Map<ObjectKey, String> versions = new HashMap<>();
    for (KubernetesObject object : objects) {
      versions.put(
          ObjectKey.of(object),
          Objects.requireNonNull(
              Objects.requireNonNull(object.getMetadata()).getResourceVersion()));
    }
    return versions;
  }
}
