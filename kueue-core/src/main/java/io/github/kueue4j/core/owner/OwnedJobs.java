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

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.WorkloadNames;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Which Job of one kind runs on which Workload. */
final class OwnedJobs<T extends KubernetesObject> {
  private final JobKind<T> kind;
  private final WorkloadNames names;
  private final FreshCache<T> jobs;

  OwnedJobs(JobKind<T> kind, WorkloadNames names, FreshCache<T> jobs) {
    this.kind = kind;
    this.names = names;
    this.jobs = jobs;
  }

  /** Whether an owner reference points to objects of this type. */
  static boolean isKindOf(ResourceType<?> type, V1OwnerReference owner) {
    return type.kind().equals(owner.getKind()) && type.apiVersion().equals(owner.getApiVersion());
  }

  /** Whether a Job names the Workload, or is the one that it was made from. */
  boolean standsFor(Workload workload, T job) {
    return names.all(kind.type(), job).contains(ObjectKey.of(workload));
  }

  /** The Job that runs on the Workload, which must not start and stop that of another one. */
  Optional<T> cached(Workload workload) {
    return owned(workload).filter(job -> standsFor(workload, job));
  }

  /** The Job that controls the Workload, whichever it runs on. */
  Optional<T> owned(Workload workload) {
    return owner(workload)
        .flatMap(
            owner ->
                jobs.get(jobKey(workload, owner))
                    .filter(job -> Uids.of(job).equals(owner.getUid())));
  }

  /** The Job that runs on the Workload, as the API server has it now. */
  Optional<T> live(Workload workload) {
    return owner(workload)
        .flatMap(
            owner ->
                jobs.live(jobKey(workload, owner))
                    .filter(job -> Uids.of(job).equals(owner.getUid()))
                    .filter(job -> standsFor(workload, job)));
  }

  private static ObjectKey jobKey(Workload workload, V1OwnerReference owner) {
    return new ObjectKey(ObjectKey.of(workload).namespace(), owner.getName());
  }

  /** How the Workload refers to the Job of this kind that controls it. */
  Optional<V1OwnerReference> owner(Workload workload) {
    return Objects.requireNonNullElse(
            workload.metadata().getOwnerReferences(), List.<V1OwnerReference>of())
        .stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .filter(reference -> isKindOf(kind.type(), reference))
        .findFirst();
  }
}
