// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.WorkloadNames;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.Optional;

/** Finds the Job of one kind that runs on a Workload. */
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
    return type.isNamed(owner.getApiVersion(), owner.getKind());
  }

  /** Whether a Job names the Workload, or is the one that it was made from. */
  boolean runsOn(Workload workload, T job) {
    return names.all(kind.type(), job).contains(ObjectKey.of(workload));
  }

  /** Whether the Workload bears a name that the core gives to the Workload of this Job. */
  boolean isMadeFrom(T job, Workload workload) {
    return names.isMade(kind.type(), job, workload);
  }

  /**
   * The Job that runs on the Workload; empty if the Job that controls it runs on another one, whose
   * worker starts and stops it.
   */
  Optional<T> cached(Workload workload) {
    return owned(workload).filter(job -> runsOn(workload, job));
  }

  /** The Job that controls the Workload, even if it runs on another one. */
  Optional<T> owned(Workload workload) {
    return owner(workload)
        .flatMap(
            owner ->
                jobs.get(jobKey(workload, owner))
                    .filter(job -> Uids.of(job).equals(owner.getUid())));
  }

  /** The Job that runs on the Workload, read from the API server. */
  Optional<T> live(Workload workload) {
    return owner(workload)
        .flatMap(
            owner ->
                jobs.live(jobKey(workload, owner))
                    .filter(job -> Uids.of(job).equals(owner.getUid()))
                    .filter(job -> runsOn(workload, job)));
  }

  private static ObjectKey jobKey(Workload workload, V1OwnerReference owner) {
    return new ObjectKey(ObjectKey.of(workload).namespace(), owner.getName());
  }

  /** How the Workload refers to the Job of this kind that controls it. */
  Optional<V1OwnerReference> owner(Workload workload) {
    return Metadata.owners(workload).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .filter(reference -> isKindOf(kind.type(), reference))
        .findFirst();
  }
}
