// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.core.admission.DefaultingContext;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ManagedNamespaces;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.queue.LabelSelectors;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.LeaderWorkerSet;
import io.github.kueue4j.jobs.ServingKind;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up in the caches what the defaults of Jobs depend on. Every replica does, leader or not. A
 * namespace that isn't cached yet is read: its labels must not count as absent.
 */
final class CachedDefaultingContext implements DefaultingContext {
  private static final Logger log = LoggerFactory.getLogger(CachedDefaultingContext.class);

  private final CoreInformers caches;
  private final KubernetesApi api;
  private final Jobs jobs;
  private final Configuration configuration;

  CachedDefaultingContext(
      CoreInformers caches, KubernetesApi api, Jobs jobs, Configuration configuration) {
    this.caches = caches;
    this.api = api;
    this.jobs = jobs;
    this.configuration = configuration;
  }

  @Override
  public boolean managesNamespace(String namespace) {
    return manages(namespace, false);
  }

  /** A pod that is let through runs for good; the API server asks by the same selector. */
  @Override
  public boolean mayManageNamespace(String namespace) {
    return manages(namespace, true);
  }

  private boolean manages(String namespace, boolean ifUnknown) {
    ManagedNamespaces managed = configuration.managedNamespaces();
    if (!managed.needLabels()) {
      return managed.matches(namespace, Map.of());
    }
    ObjectKey key = ObjectKey.cluster(namespace);
    return caches
        .namespaces()
        .get(key)
        .or(() -> read(key))
        .map(known -> managed.matches(namespace, Metadata.labels(known)))
        .orElse(ifUnknown);
  }

  /** Empty if it can't be read now: the core stops a Job if it turns out to be managed. */
  private Optional<V1Namespace> read(ObjectKey namespace) {
    try {
      return api.get(CoreTypes.NAMESPACE, namespace);
    } catch (KubernetesApiException e) {
      log.atWarn()
          .setCause(e)
          .addKeyValue("namespace", namespace.name())
          .log("The namespace of a new object can't be read; Jobs in it count as not managed");
      return Optional.empty();
    }
  }

  @Override
  public boolean hasLocalQueue(String namespace, String name) {
    return caches.localQueues().get(new ObjectKey(namespace, name)).isPresent();
  }

  @Override
  public boolean hasWorkloadPriorityClass(String name) {
    return caches.workloadPriorityClasses().get(ObjectKey.cluster(name)).isPresent();
  }

  @Override
  public boolean managesOwner(String namespace, V1OwnerReference owner, ChildJob child) {
    return jobs.manages(namespace, owner, child);
  }

  @Override
  public boolean createsJobs(String apiVersion, String kind) {
    return jobs.createsJobs(apiVersion, kind);
  }

  @Override
  public Optional<Integer> replicas(ServingKind kind, ObjectKey object, String uid) {
    return api.get(kind.type(), object)
        .filter(found -> Uids.of(found).equals(uid))
        .map(found -> found.spec().replicas().orElse(1));
  }

  @Override
  public Optional<LeaderWorkerSet> leaderWorkerSet(ObjectKey key) {
    return api.get(LeaderWorkerSet.TYPE, key);
  }

  @Override
  public boolean excludes(String clusterQueue, String namespace) {
    ObjectKey key = ObjectKey.cluster(namespace);
    return caches
        .clusterQueues()
        .get(ObjectKey.cluster(clusterQueue))
        .flatMap(
            queue ->
                caches
                    .namespaces()
                    .get(key)
                    .or(() -> read(key))
                    .filter(
                        known ->
                            !LabelSelectors.matches(
                                queue.spec().namespaceSelector(), Metadata.labels(known))))
        .isPresent();
  }

  @Override
  public Set<String> cohorts() {
    return Stream.of(
            caches.cohorts().list().stream().map(cohort -> ObjectKey.of(cohort).name()),
            caches.cohorts().list().stream().map(cohort -> cohort.spec().parentName()),
            caches.clusterQueues().list().stream().map(queue -> queue.spec().cohortName()))
        .flatMap(Function.identity())
        .filter(name -> name != null && !name.isEmpty())
        .collect(Collectors.toSet());
  }
}
