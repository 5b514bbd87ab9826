// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.informer;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What informers have heard of, for tests that wait for it. */
public final class InformersRest {
  private final EmbeddedApiServer server;
  private final KubernetesApi api;

  /** The newest change of each informer's kind when it was last seen to have heard everything. */
  private final IdentityHashMap<CachedInformer<?>, Optional<Long>> heard = new IdentityHashMap<>();

  /**
   * Of informers on a server.
   *
   * @param api asks for what an informer with a selection shows
   */
  public InformersRest(EmbeddedApiServer server, KubernetesApi api) {
    this.server = server;
    this.api = api;
  }

  /**
   * Whether every one of these caches shows what the server has now, and listeners were told.
   *
   * @param silenced plural names of types whose watches tell nothing; these are left out
   */
  public boolean heardEverything(Informers informers, Set<String> silenced) {
    return informers.snapshot().stream()
        .filter(informer -> !silenced.contains(informer.spec().type().plural()))
        .allMatch(this::heardEverything);
  }

  private <T extends KubernetesObject> boolean heardEverything(CachedInformer<T> informer) {
    ResourceType<T> type = informer.spec().type();
    // Read first: what is written meanwhile has the next look compare again.
    Optional<Long> newest = server.newest(type.group(), type.plural());
    if (newest.equals(heard.get(informer))) {
      return true;
    }
    boolean same = stored(informer.spec()).equals(versions(informer.list()));
    // Comes after the handlers of what is in the cache.
    informer.onChange(change -> {}).close();
    if (same) {
      heard.put(informer, newest);
    }
    return same;
  }

  private Map<String, String> stored(Informers.Spec<?> spec) {
    ResourceType<?> type = spec.type();
    return spec.selection().equals(ListOptions.all())
            || server.newest(type.group(), type.plural()).isEmpty()
        ? server.resourceVersions(type.group(), type.plural())
        : versions(api.list(type, spec.selection()).items());
  }

  private static Map<String, String> versions(List<? extends KubernetesObject> objects) {
    Map<String, String> versions = new HashMap<>();
    for (KubernetesObject object : objects) {
      versions.put(
          ObjectKey.of(object).toString(),
          Objects.requireNonNull(
              Objects.requireNonNull(object.getMetadata()).getResourceVersion()));
    }
    return versions;
  }
}
