// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Jobs of all kinds that can be managed, as they were read. */
final class OwnerJobs {
  /** By kind as an owner reference names it, then by key. */
  private final Map<String, Map<ObjectKey, OwnerJob<?>>> byKind = new HashMap<>();

  /** By the key of their Workload. */
  private final Map<ObjectKey, List<V1Pod>> groups = new HashMap<>();

  static OwnerJobs read(KubernetesApi api, Integrations integrations) {
    OwnerJobs jobs = new OwnerJobs();
    for (JobKind<?> kind : integrations.kinds().all()) {
      jobs.add(kind, api);
    }
    return jobs;
  }

  private <T extends KubernetesObject> void add(JobKind<T> kind, KubernetesApi api) {
    Map<ObjectKey, OwnerJob<?>> jobs = new HashMap<>();
    if (api.serves(kind.type())) {
      ListOptions all = ListOptions.all();
      Map<ObjectKey, KubernetesObject> withPods = withPods(kind, api);
      ListOptions selected = kind.selector().map(all::withLabelSelector).orElse(all);
      for (T read : api.list(kind.type(), selected).items()) {
        OwnerJob<T> job =
            new OwnerJob<>(
                kind,
                kind.completed(
                    kind.trimmed(read),
                    type -> Optional.ofNullable(withPods.get(ObjectKey.of(read)))));
        jobs.put(ObjectKey.of(read), job);
        if (job.job() instanceof V1Pod pod) {
          job.group()
              .ifPresent(group -> groups.computeIfAbsent(group, any -> new ArrayList<>()).add(pod));
        }
      }
    }
    ResourceType<T> type = kind.type();
    type.versions()
        .forEach(
            version -> byKind.put(name(type.inVersion(version).apiVersion(), type.kind()), jobs));
  }

  /** The objects that have the pods of a kind's Jobs; empty if these have them themselves. */
  private static Map<ObjectKey, KubernetesObject> withPods(JobKind<?> kind, KubernetesApi api) {
    return kind.podsIn().filter(api::serves).stream()
        .flatMap(type -> api.list(type, ListOptions.all()).items().stream())
        .collect(Collectors.toMap(ObjectKey::of, Function.identity()));
  }

  private static String name(String apiVersion, String kind) {
    return apiVersion + ' ' + kind;
  }

  /** The controller of an object. */
  static Optional<V1OwnerReference> controller(KubernetesObject object) {
    return Optional.ofNullable(object.getMetadata())
        .map(V1ObjectMeta::getOwnerReferences)
        .orElse(List.of())
        .stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst();
  }

  /** Whether an owner is of a kind that can be managed. */
  boolean know(V1OwnerReference owner) {
    return byKind.containsKey(name(owner.getApiVersion(), owner.getKind()));
  }

  /** The Job that has the name of an owner now, whatever its uid. */
  Optional<OwnerJob<?>> named(String namespace, V1OwnerReference owner) {
    return Optional.ofNullable(
        byKind
            .getOrDefault(name(owner.getApiVersion(), owner.getKind()), Map.of())
            .get(new ObjectKey(namespace, owner.getName())));
  }

  /** The pods of the group whose Workload has this key. */
  List<V1Pod> members(ObjectKey workload) {
    return groups.getOrDefault(workload, List.of());
  }

  /** The Jobs that run and need an admission of their own. */
  Stream<OwnerJob<?>> running() {
    return byKind.values().stream()
        .flatMap(jobs -> jobs.values().stream())
        .filter(job -> job.runs() && job.queued() && !belongsToAnother(job));
  }

  private boolean belongsToAnother(OwnerJob<?> job) {
    return controller(job.job())
        .flatMap(owner -> named(ObjectKey.of(job.job()).namespace(), owner))
        .filter(OwnerJob::queued)
        .isPresent();
  }
}
