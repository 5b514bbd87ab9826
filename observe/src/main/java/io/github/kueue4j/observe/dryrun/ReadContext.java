// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.admission.DefaultingContext;
import io.github.kueue4j.core.config.ManagedNamespaces;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.jobs.ServingKind;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.Optional;
import java.util.Set;

/** The context that the defaults of new Jobs depend on, as it was read. */
record ReadContext(ReadObjects objects, ManagedNamespaces managed) implements DefaultingContext {
  @Override
  public boolean managesNamespace(String namespace) {
    return managed.matches(
        namespace,
        TrialState.labels(
            objects.find(CoreTypes.NAMESPACE, ObjectKey.cluster(namespace)).orElse(null)));
  }

  @Override
  public boolean hasLocalQueue(String namespace, String name) {
    return objects.find(KueueTypes.LOCAL_QUEUE, new ObjectKey(namespace, name)).isPresent();
  }

  @Override
  public boolean hasWorkloadPriorityClass(String name) {
    return objects.find(KueueTypes.WORKLOAD_PRIORITY_CLASS, ObjectKey.cluster(name)).isPresent();
  }

  /** A dry run leaves objects with a controller to that. */
  @Override
  public boolean managesOwner(String namespace, V1OwnerReference owner, ChildJob child) {
    return false;
  }

  @Override
  public boolean createsJobs(String apiVersion, String kind) {
    return false;
  }

  @Override
  public Optional<Integer> replicas(ServingKind kind, ObjectKey object, String uid) {
    return objects
        .find(kind.type(), object)
        .filter(found -> Uids.of(found).equals(uid))
        .map(found -> found.spec().replicas().orElse(1));
  }

  @Override
  public Optional<LeaderWorkerSet> leaderWorkerSet(ObjectKey key) {
    return objects.find(LeaderWorkerSet.TYPE, key);
  }

  /** Concerns LocalQueues only. */
  @Override
  public boolean excludes(String clusterQueue, String namespace) {
    return false;
  }

  /** Concerns Cohorts and ClusterQueues only. */
  @Override
  public Set<String> cohorts() {
    return Set.of();
  }
}
