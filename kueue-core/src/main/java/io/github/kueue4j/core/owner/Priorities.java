// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PriorityClassRef;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadPriorityClass;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.core.job.JobWorkload.Priority;
import io.github.kueue4j.runtime.KubernetesApi;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1PriorityClass;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds the priority of a Job's Workload: that of its WorkloadPriorityClass, else of its pods'
 * PriorityClass, else of the cluster's default PriorityClass.
 */
final class Priorities {
  private final CoreInformers caches;
  private final KubernetesApi api;

  Priorities(CoreInformers caches, KubernetesApi api) {
    this.caches = caches;
    this.api = api;
  }

  /** The outcome of looking for a priority. */
  sealed interface PriorityLookup {
    /** The Workload gets this priority. */
    record Known(Priority priority) implements PriorityLookup {}

    /** The Job names a WorkloadPriorityClass that doesn't exist. */
    record Missing(String workloadPriorityClass) implements PriorityLookup {}
  }

  <T extends KubernetesObject> PriorityLookup of(JobKind<T> kind, T job) {
    Optional<String> workloadClass = JobWorkload.priorityClass(job);
    if (workloadClass.isPresent()) {
      String name = workloadClass.get();
      return workloadClass(name)
          .<PriorityLookup>map(
              value ->
                  new PriorityLookup.Known(
                      new Priority(
                          value,
                          new PriorityClassRef(KueueTypes.GROUP, "WorkloadPriorityClass", name))))
          .orElseGet(() -> new PriorityLookup.Missing(name));
    }
    return new PriorityLookup.Known(
        kind.podPriorityClass(job)
            .flatMap(this::podClass)
            .or(this::globalDefault)
            .map(Priorities::of)
            .orElseGet(Priority::none));
  }

  /** The value that the class of a Workload has now; empty if it has no class, or a deleted one. */
  OptionalInt current(Workload workload) {
    PriorityClassRef source = workload.spec().priorityClassRef();
    if (source == null) {
      return OptionalInt.empty();
    }
    Optional<Integer> value =
        source.group().equals(KueueTypes.GROUP)
            ? workloadClass(source.name())
            : cached(source.name()).map(Priorities::value);
    return value.map(OptionalInt::of).orElseGet(OptionalInt::empty);
  }

  private Optional<Integer> workloadClass(String name) {
    return caches
        .workloadPriorityClasses()
        .get(ObjectKey.cluster(name))
        .map(WorkloadPriorityClass::value);
  }

  private Optional<V1PriorityClass> podClass(String name) {
    // Pods that name a missing class are refused: if the cache doesn't have it, it is likely
    // behind.
    return cached(name).or(() -> api.get(CoreTypes.PRIORITY_CLASS, ObjectKey.cluster(name)));
  }

  private Optional<V1PriorityClass> cached(String name) {
    return caches.podPriorityClasses().get(ObjectKey.cluster(name));
  }

  /** The class of pods that name none; of several, which only a race can create, the lowest. */
  private Optional<V1PriorityClass> globalDefault() {
    return caches.podPriorityClasses().list().stream()
        .filter(found -> Boolean.TRUE.equals(found.getGlobalDefault()))
        .min(Comparator.comparingInt(Priorities::value));
  }

  private static Priority of(V1PriorityClass found) {
    return new Priority(
        value(found),
        new PriorityClassRef(
            CoreTypes.PRIORITY_CLASS.group(), "PriorityClass", ObjectKey.of(found).name()));
  }

  private static int value(V1PriorityClass found) {
    return Objects.requireNonNullElse(found.getValue(), 0);
  }
}
