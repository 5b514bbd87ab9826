// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What a host has heard of and what it still has to do, for tests that wait for it. */
public final class HostRest {

  private HostRest() {}

  /**
   * Whether every cache shows what the server has now, and every listener was told.
   *
   * @param silenced plural names of types whose watches tell nothing; these are left out
   */
  public static boolean heardEverything(
      ControllerHost host, KubernetesApi api, Set<String> silenced) {
    return host.run().informers().stream()
        .flatMap(group -> group.snapshot().stream())
        .filter(informer -> !silenced.contains(informer.spec().type().plural()))
        .allMatch(informer -> heardEverything(informer, api));
  }

  /** Whether every one of these caches shows what the server has now, and listeners were told. */
  public static boolean heardEverything(Informers informers, KubernetesApi api) {
    return informers.snapshot().stream().allMatch(informer -> heardEverything(informer, api));
  }

  private static <T extends KubernetesObject> boolean heardEverything(
      CachedInformer<T> informer, KubernetesApi api) {
    Informers.Spec<T> spec = informer.spec();
    boolean same =
        versions(
                spec.isOptional() && !api.serves(spec.type())
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

  /** Whether no object waits for a worker, and no worker has one. */
  public static boolean nothingToDo(ControllerHost host) {
    return host.run().rests();
  }
}
