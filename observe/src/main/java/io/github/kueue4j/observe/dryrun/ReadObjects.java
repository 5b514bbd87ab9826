// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.observe.explain.ReadOnlyApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.client.ResourceList;
import io.kubernetes.client.common.KubernetesObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a cluster as they were read at one time, to which a dry run adds those that it
 * tries. An explanation reads them as it reads a cluster; nothing can be written to one.
 */
@API(status = API.Status.INTERNAL)
public final class ReadObjects extends ReadOnlyApi {
  private final Map<ResourceType<?>, Map<ObjectKey, KubernetesObject>> objects = new HashMap<>();
  private final Set<ResourceType<?>> unreadable = new HashSet<>();
  private final Map<ResourceType<?>, Set<String>> readIn = new HashMap<>();
  private final Set<ResourceType<?>> unserved = new HashSet<>();

  /** No objects. */
  public ReadObjects() {}

  /** The same objects, to be changed apart from these. */
  public ReadObjects(ReadObjects other) {
    other.objects.forEach((type, some) -> objects.put(type, new LinkedHashMap<>(some)));
    unreadable.addAll(other.unreadable);
    other.readIn.forEach((type, some) -> readIn.put(type, new HashSet<>(some)));
    unserved.addAll(other.unserved);
  }

  /** Adds an object, or replaces the one of its name. */
  public <T extends KubernetesObject> void put(ResourceType<T> type, T object) {
    objects.computeIfAbsent(type, any -> new LinkedHashMap<>()).put(ObjectKey.of(object), object);
  }

  /** Forgets an object. */
  public void remove(ResourceType<?> type, ObjectKey key) {
    objects.getOrDefault(type, new HashMap<>()).remove(key);
  }

  /** Forgets all objects of this type but these. */
  public <T extends KubernetesObject> void keep(ResourceType<T> type, Predicate<T> kept) {
    objects
        .getOrDefault(type, new HashMap<>())
        .values()
        .removeIf(object -> !kept.test(type.type().cast(object)));
  }

  /** Not all objects of this type may be read: one that is not here may exist. */
  void refuse(ResourceType<?> type) {
    unreadable.add(type);
  }

  /** All objects of this type in a namespace were read. */
  void readIn(ResourceType<?> type, String namespace) {
    readIn.computeIfAbsent(type, any -> new HashSet<>()).add(namespace);
  }

  /** The server doesn't serve this type. */
  void notServed(ResourceType<?> type) {
    unserved.add(type);
  }

  /** The types of which not all objects may be read. */
  public Set<ResourceType<?>> unreadable() {
    return unreadable;
  }

  /** All objects of a type that were read. */
  public <T extends KubernetesObject> List<T> all(ResourceType<T> type) {
    return objects.getOrDefault(type, Map.of()).values().stream().map(type.type()::cast).toList();
  }

  /** The object; empty if it doesn't exist or wasn't read. */
  public <T extends KubernetesObject> Optional<T> find(ResourceType<T> type, ObjectKey key) {
    return Optional.ofNullable(objects.getOrDefault(type, Map.of()).get(key))
        .map(type.type()::cast);
  }

  @Override
  public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
    Optional<T> found = find(type, key);
    if (found.isEmpty()) {
      checkReadable(type, key.namespace());
    }
    return found;
  }

  @Override
  public <T extends KubernetesObject> ResourceList<T> list(
      ResourceType<T> type, ListOptions options) {
    String namespace = Objects.requireNonNullElse(options.namespace(), "");
    checkReadable(type, namespace);
    List<T> matching = new ArrayList<>();
    for (T object : all(type)) {
      if ((namespace.isEmpty() || namespace.equals(ObjectKey.of(object).namespace()))
          && selected(object, options.labelSelector())) {
        matching.add(object);
      }
    }
    return new ResourceList<>("", matching);
  }

  /** Knows the selectors of {@link JobKind}s: labels that exist, and those with a value. */
  private static boolean selected(KubernetesObject object, @Nullable String selector) {
    Map<String, String> labels = TrialState.labels(object);
    return selector == null
        || Arrays.stream(selector.split(",", -1))
            .map(term -> term.split("=", 2))
            .allMatch(
                term ->
                    term.length == 1
                        ? labels.containsKey(term[0])
                        : term[1].equals(labels.get(term[0])));
  }

  /** Whether all objects of this type in a namespace were read. */
  boolean readable(ResourceType<?> type, String namespace) {
    return !unreadable.contains(type) || readIn.getOrDefault(type, Set.of()).contains(namespace);
  }

  private void checkReadable(ResourceType<?> type, String namespace) {
    if (!readable(type, namespace)) {
      throw new KubernetesApiException.Forbidden(type.plural() + " may not be read", null);
    }
  }

  @Override
  public boolean serves(ResourceType<?> type) {
    return !unserved.contains(type);
  }

  @Override
  public String serverVersion() {
    throw readOnly();
  }
}
