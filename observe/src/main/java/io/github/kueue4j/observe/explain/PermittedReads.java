// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads of one explanation, of which the server may refuse some: the user still gets an
 * explanation, from fewer objects. Remembers the types that were refused, since their absence tells
 * nothing.
 */
final class PermittedReads {
  private static final Logger log = LoggerFactory.getLogger(PermittedReads.class);

  private final KubernetesApi api;
  private final Set<ResourceType<?>> refused = new LinkedHashSet<>();

  PermittedReads(KubernetesApi api) {
    this.api = api;
  }

  /** The object; empty if it doesn't exist or may not be read. */
  <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    try {
      return api.get(type, key);
    } catch (KubernetesApiException.Forbidden e) {
      refuse(type);
      return Optional.empty();
    }
  }

  /** The objects; none if they may not be listed. */
  <T extends KubernetesObject> List<T> list(ResourceType<T> type, ListOptions options) {
    try {
      return api.list(type, options).items();
    } catch (KubernetesApiException.Forbidden e) {
      refuse(type);
      return List.of();
    }
  }

  /** The objects of all namespaces, or of this one if only they may be listed. */
  <T extends KubernetesObject> List<T> listAllOrOf(String namespace, ResourceType<T> type) {
    boolean before = refused.contains(type);
    List<T> all = before ? List.of() : list(type, ListOptions.all());
    return refused.contains(type) ? list(type, ListOptions.inNamespace(namespace)) : all;
  }

  private void refuse(ResourceType<?> type) {
    log.atDebug()
        .addKeyValue("type", type)
        .log("Not permitted to read, explaining without these objects");
    refused.add(type);
  }

  /** The types of which some objects may not be read. */
  Set<ResourceType<?>> refused() {
    return Set.copyOf(refused);
  }

  boolean refused(ResourceType<?> type) {
    return refused.contains(type);
  }
}
