// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.status.Health;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds several Workloads of one Job. Two cores with different naming rules can create them while
 * one takes over from the other; the names don't collide then, and both would get quota.
 */
final class DuplicateWorkloads<T extends KubernetesObject> {
  /** The Workload to keep comes first: the one that holds quota, else the older one. */
  private static final Comparator<Workload> KEPT_FIRST =
      Comparator.comparing((Workload workload) -> !Phase.holdsQuota(workload))
          .thenComparing(DuplicateWorkloads::created)
          .thenComparing(Uids::of);

  private final JobStore<T> jobs;
  private final WorkloadsOfJobs workloads;

  DuplicateWorkloads(JobStore<T> jobs, WorkloadsOfJobs workloads) {
    this.jobs = jobs;
    this.workloads = workloads;
  }

  /** Whether the API server has a Workload of the Job under another name than this. */
  boolean existsBeside(T job, ObjectKey name) {
    return live(job, name).findAny().isPresent();
  }

  /** Whether another Workload of the Job is kept instead of this one. */
  boolean yields(T job, Workload workload) {
    ObjectKey name = ObjectKey.of(workload);
    return cached(job, name).findAny().isPresent()
        && live(job, name)
            .filter(DuplicateWorkloads::counts)
            .anyMatch(other -> KEPT_FIRST.compare(other, workload) < 0);
  }

  /** Whether, by the cache, the Job can run on the quota of another one of its Workloads. */
  boolean covers(T job, Workload workload) {
    return cached(job, ObjectKey.of(workload))
        .anyMatch(other -> counts(other) && Phase.holdsQuota(other));
  }

  private static boolean counts(Workload workload) {
    return !Health.terminating(workload) && !workload.conditions().finished();
  }

  private Stream<Workload> cached(T job, ObjectKey name) {
    return others(job, name, workloads::cached);
  }

  private Stream<Workload> live(T job, ObjectKey name) {
    return others(job, name, workloads::live);
  }

  private Stream<Workload> others(
      T job, ObjectKey name, Function<ObjectKey, Optional<Workload>> read) {
    return jobs.workloadNames(job).stream()
        .filter(key -> !key.equals(name))
        .flatMap(key -> read.apply(key).stream())
        .filter(
            other ->
                jobs.owner(other)
                    .map(V1OwnerReference::getUid)
                    .filter(Uids.of(job)::equals)
                    .isPresent());
  }

  private static OffsetDateTime created(Workload workload) {
    return Objects.requireNonNullElse(
        workload.metadata().getCreationTimestamp(), OffsetDateTime.MAX);
  }
}
