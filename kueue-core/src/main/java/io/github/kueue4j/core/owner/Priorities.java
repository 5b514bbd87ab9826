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
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.JobWorkload.Priority;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1PriorityClass;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Finds the priority of a Job's Workload: that of its WorkloadPriorityClass, else of its pods'
 * PriorityClass, else of the cluster's default PriorityClass.
 */
@API(status = API.Status.INTERNAL)
public final class Priorities {
  private final Function<String, Optional<WorkloadPriorityClass>> workloadClasses;
  private final Function<String, Optional<V1PriorityClass>> podClasses;
  private final Supplier<List<V1PriorityClass>> allPodClasses;
  private final Function<String, Optional<V1PriorityClass>> missedPodClasses;

  /**
   * Priorities by these classes.
   *
   * @param workloadClasses the WorkloadPriorityClasses by name
   * @param podClasses the PriorityClasses by name
   * @param allPodClasses all PriorityClasses
   */
  public Priorities(
      Function<String, Optional<WorkloadPriorityClass>> workloadClasses,
      Function<String, Optional<V1PriorityClass>> podClasses,
      Supplier<List<V1PriorityClass>> allPodClasses) {
    this(workloadClasses, podClasses, allPodClasses, name -> Optional.empty());
  }

  private Priorities(
      Function<String, Optional<WorkloadPriorityClass>> workloadClasses,
      Function<String, Optional<V1PriorityClass>> podClasses,
      Supplier<List<V1PriorityClass>> allPodClasses,
      Function<String, Optional<V1PriorityClass>> missedPodClasses) {
    this.workloadClasses = workloadClasses;
    this.podClasses = podClasses;
    this.allPodClasses = allPodClasses;
    this.missedPodClasses = missedPodClasses;
  }

  /** Priorities by the classes of the caches. */
  static Priorities of(CoreInformers caches, KubernetesApi api) {
    return new Priorities(
        name -> caches.workloadPriorityClasses().get(ObjectKey.cluster(name)),
        name -> caches.podPriorityClasses().get(ObjectKey.cluster(name)),
        () -> caches.podPriorityClasses().list(),
        // Pods that name a missing class are refused: if the cache doesn't have it, it is likely
        // behind.
        name -> api.get(CoreTypes.PRIORITY_CLASS, ObjectKey.cluster(name)));
  }

  /** The outcome of looking for a priority. */
  @API(status = API.Status.INTERNAL)
  public sealed interface PriorityLookup {
    /** The Workload gets this priority. */
    record Known(Priority priority) implements PriorityLookup {}

    /** The Job names a WorkloadPriorityClass that doesn't exist. */
    record Missing(String workloadPriorityClass) implements PriorityLookup {}
  }

  /** The priority of a Job's Workload. */
  public <T extends KubernetesObject> PriorityLookup of(JobKind<T> kind, T job) {
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
            .flatMap(name -> podClasses.apply(name).or(() -> missedPodClasses.apply(name)))
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
            : podClasses.apply(source.name()).map(Priorities::value);
    return value.map(OptionalInt::of).orElseGet(OptionalInt::empty);
  }

  private Optional<Integer> workloadClass(String name) {
    return workloadClasses.apply(name).map(WorkloadPriorityClass::value);
  }

  /** The class of pods that name none; of several, which only a race can create, the lowest. */
  private Optional<V1PriorityClass> globalDefault() {
    return allPodClasses.get().stream()
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
