// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.observe.explain.ReadOnlyApi;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.client.ResourceList;
import io.github.kueue4j.runtime.informer.Informer;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads for an explanation: what the core's caches have from there, Jobs and the like live, and
 * pods only if the viewer may list them. Workloads and LocalQueues of namespaces that the viewer
 * may not see bear other names. Nothing can be written.
 */
final class SnapshotReads extends ReadOnlyApi {
  private final KubernetesApi live;
  private final CoreInformers caches;
  private final Viewer viewer;
  private final @Nullable Pseudonyms pseudonyms;

  /**
   * Reads for this viewer.
   *
   * @param live reads what isn't cached, with the core's own permissions
   * @param namespace of the Workload to explain
   */
  SnapshotReads(KubernetesApi live, CoreInformers caches, Viewer viewer, String namespace) {
    this.live = live;
    this.caches = caches;
    this.viewer = viewer;
    this.pseudonyms = viewer.seesAllNamespaces() ? null : new Pseudonyms(namespace);
  }

  @Override
  public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    checkPods(type, key.namespace());
    return cache(type).map(informer -> informer.get(key)).orElseGet(() -> live.get(type, key));
  }

  @Override
  public <T extends KubernetesObject> ResourceList<T> list(
      ResourceType<T> type, ListOptions options) {
    String namespace = Objects.requireNonNullElse(options.namespace(), "");
    checkPods(type, namespace);
    Informer<T> cached = cache(type).orElse(null);
    if (cached == null || options.labelSelector() != null || options.fieldSelector() != null) {
      return live.list(type, options);
    }
    List<T> objects =
        cached.list().stream()
            .filter(
                object -> namespace.isEmpty() || ObjectKey.of(object).namespace().equals(namespace))
            .map(object -> pseudonyms == null ? object : pseudonyms.of(type, object))
            .toList();
    return new ResourceList<>("", objects);
  }

  private void checkPods(ResourceType<?> type, String namespace) {
    if (type.equals(CoreTypes.POD) && !viewer.allowed(CoreTypes.POD, namespace)) {
      throw new KubernetesApiException.Forbidden("the viewer may not list pods", null);
    }
  }

  @SuppressWarnings("unchecked") // An informer has the objects of its type.
  private <T extends KubernetesObject> Optional<Informer<T>> cache(ResourceType<T> type) {
    return Stream.<Cached<?>>of(
            new Cached<>(KueueTypes.WORKLOAD, caches.workloads()),
            new Cached<>(KueueTypes.CLUSTER_QUEUE, caches.clusterQueues()),
            new Cached<>(KueueTypes.LOCAL_QUEUE, caches.localQueues()),
            new Cached<>(KueueTypes.COHORT, caches.cohorts()),
            new Cached<>(KueueTypes.RESOURCE_FLAVOR, caches.flavors()),
            new Cached<>(KueueTypes.ADMISSION_CHECK, caches.checks()),
            new Cached<>(KueueTypes.WORKLOAD_PRIORITY_CLASS, caches.workloadPriorityClasses()),
            new Cached<>(CoreTypes.PRIORITY_CLASS, caches.podPriorityClasses()),
            new Cached<>(CoreTypes.RUNTIME_CLASS, caches.runtimeClasses()),
            new Cached<>(CoreTypes.LIMIT_RANGE, caches.limitRanges()),
            new Cached<>(CoreTypes.NAMESPACE, caches.namespaces()))
        .filter(cached -> cached.type().equals(type))
        .map(cached -> (Informer<T>) cached.informer())
        .findFirst();
  }

  private record Cached<T extends KubernetesObject>(ResourceType<T> type, Informer<T> informer) {}

  @Override
  public boolean serves(ResourceType<?> type) {
    return live.serves(type);
  }

  @Override
  public String serverVersion() {
    return live.serverVersion();
  }
}
