// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.admission;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.jobs.ServingKind;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/** The facts about the cluster that the defaults of Jobs, and warnings, depend on. */
@API(status = API.Status.INTERNAL)
public interface DefaultingContext {
  /** Whether Jobs of that namespace are managed. */
  boolean managesNamespace(String namespace);

  /** Whether it may: also where it can't be told now. */
  default boolean mayManageNamespace(String namespace) {
    return managesNamespace(namespace);
  }

  /** Whether a LocalQueue exists. */
  boolean hasLocalQueue(String namespace, String name);

  /** Whether a WorkloadPriorityClass exists. */
  boolean hasWorkloadPriorityClass(String name);

  /**
   * Whether the owner of a Job is itself managed, so that it decides when the Job runs. What the
   * reference says of itself doesn't count: a user who creates a Job writes it.
   *
   * @param namespace of both
   * @param child the Job, which the owner has to have created if the core knows its kind
   */
  boolean managesOwner(String namespace, V1OwnerReference owner, ChildJob child);

  /** Whether objects of that kind can be managed by the core and create Jobs. */
  boolean createsJobs(String apiVersion, String kind);

  /**
   * How many pods an object is to have; empty if there is no such object (any more).
   *
   * @param uid of the object
   */
  default Optional<Integer> replicas(ServingKind kind, ObjectKey object, String uid) {
    return Optional.empty();
  }

  /** The LeaderWorkerSet of that name; empty if there is none (any more). */
  default Optional<LeaderWorkerSet> leaderWorkerSet(ObjectKey key) {
    return Optional.empty();
  }

  /** Whether a ClusterQueue exists and takes no Workloads of that namespace. */
  boolean excludes(String clusterQueue, String namespace);

  /** The names of all Cohorts, also of those without an object. */
  Set<String> cohorts();
}
