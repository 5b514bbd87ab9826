/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.WorkloadNames;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.runtime.KubernetesApi;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Two Workloads of one Job, made by cores with different rules for names while one took over from
 * the other. Names don't protect against that, and both would get quota.
 */
final class DoubledWorkloads<T extends KubernetesObject> {
  /** The one to keep comes first: that which holds quota, else the older. */
  private static final Comparator<Workload> KEPT_FIRST =
      Comparator.comparing((Workload workload) -> !Phase.holdsQuota(workload))
          .thenComparing(DoubledWorkloads::created)
          .thenComparing(Uids::of);

  private final JobKind<T> kind;
  private final WorkloadNames names;
  private final OwnedJobs<T> owned;
  private final CoreInformers caches;
  private final KubernetesApi api;

  DoubledWorkloads(
      JobKind<T> kind,
      WorkloadNames names,
      OwnedJobs<T> owned,
      CoreInformers caches,
      KubernetesApi api) {
    this.kind = kind;
    this.names = names;
    this.owned = owned;
    this.caches = caches;
    this.api = api;
  }

  /** Whether the API server has a Workload of the Job by another name than this. */
  boolean existsBeside(T job, ObjectKey name) {
    return live(job, name).findAny().isPresent();
  }

  /** Whether another Workload of the Job stays in place of this one. */
  boolean yields(T job, Workload workload) {
    ObjectKey name = ObjectKey.of(workload);
    return cached(job, name).findAny().isPresent()
        && live(job, name)
            .filter(DoubledWorkloads::counts)
            .anyMatch(other -> KEPT_FIRST.compare(other, workload) < 0);
  }

  /** Whether the Job can go on without this Workload, on the quota of another, as far as known. */
  boolean covers(T job, Workload workload) {
    return cached(job, ObjectKey.of(workload))
        .anyMatch(other -> counts(other) && Phase.holdsQuota(other));
  }

  private static boolean counts(Workload workload) {
    return !Health.terminating(workload)
        && !Conditions.isTrue(workload.status().conditions(), WorkloadConditions.FINISHED);
  }

  private Stream<Workload> cached(T job, ObjectKey name) {
    return others(job, name, key -> caches.workloads().get(key).stream());
  }

  private Stream<Workload> live(T job, ObjectKey name) {
    return others(job, name, key -> api.get(KueueTypes.WORKLOAD, key).stream());
  }

  private Stream<Workload> others(
      T job, ObjectKey name, Function<ObjectKey, Stream<Workload>> read) {
    return names.all(kind.type(), job).stream()
        .filter(key -> !key.equals(name))
        .flatMap(read)
        .filter(
            other ->
                owned
                    .owner(other)
                    .map(V1OwnerReference::getUid)
                    .filter(Uids.of(job)::equals)
                    .isPresent());
  }

  private static OffsetDateTime created(Workload workload) {
    return Objects.requireNonNullElse(
        workload.metadata().getCreationTimestamp(), OffsetDateTime.MAX);
  }
}
