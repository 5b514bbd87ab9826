// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ExternalKind;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Jobs of the kinds that external controllers manage. Such a controller makes their Workloads,
 * starts them and stops them; the core knows them by those Workloads alone, so that it needs no
 * permission to read them. Jobs that belong to such a Job run on its quota.
 */
final class ExternalOwners {
  /** How long a review waits for others to end, in milliseconds of real time. */
  private static final long PATIENCE_MILLIS = 1000;

  private final Semaphore asking = new Semaphore(1, true);
  private final List<ExternalKind> kinds;
  private final CoreInformers caches;
  private final FreshCache<Workload> workloads;
  private final KubernetesApi api;
  private final Eligibility eligibility;
  private final boolean withoutQueue;

  ExternalOwners(
      CoreInformers caches,
      FreshCache<Workload> workloads,
      KubernetesApi api,
      Configuration configuration) {
    this.kinds = configuration.integrations().external();
    this.caches = caches;
    this.workloads = workloads;
    this.api = api;
    this.eligibility = new Eligibility(caches, configuration);
    this.withoutQueue = configuration.manageJobsWithoutQueueName();
  }

  boolean isKind(V1OwnerReference owner) {
    return kinds.stream().anyMatch(known -> known.is(owner.getApiVersion(), owner.getKind()));
  }

  /**
   * Whether an object of such a kind controls a Workload, in a namespace that is known to be
   * managed. If the cache has none the server is asked: a child that is suspended by mistake would
   * not be started again.
   *
   * @throws IllegalStateException if too many are asked about at once; who creates the child tries
   *     again
   */
  boolean manages(String namespace, V1OwnerReference owner) {
    return isKind(owner)
        && (withoutQueue
            || !controlled(namespace, owner, workloads::get).isEmpty()
            || controlsOnServer(namespace, owner.getUid()));
  }

  /** One at a time: a tenant can make up owners, and each question is a list of Workloads. */
  private boolean controlsOnServer(String namespace, String uid) {
    try {
      if (!asking.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "too many Jobs of external owners without a Workload at once; try again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the review of the Job took too long; try again", e);
    }
    try {
      return api.list(KueueTypes.WORKLOAD, ListOptions.inNamespace(namespace)).items().stream()
          .anyMatch(workload -> controls(uid, workload));
    } finally {
      asking.release();
    }
  }

  /**
   * The state of an owner of such a kind. One that has no Workload yet counts as not managed,
   * unless Jobs without a queue name are managed, too: then its Workload is still to come. In a
   * namespace that isn't managed, it never comes.
   */
  Ancestors.Above above(String namespace, V1OwnerReference owner) {
    return above(namespace, owner, workloads::get);
  }

  /** Like {@link #above}, with the Workloads read from the API server. */
  Ancestors.Above aboveNow(String namespace, V1OwnerReference owner) {
    return above(namespace, owner, workloads::live);
  }

  private Ancestors.Above above(
      String namespace, V1OwnerReference owner, Function<ObjectKey, Optional<Workload>> read) {
    if (!eligibility.in(namespace)) {
      return Ancestors.Above.NONE;
    }
    List<Workload> controlled = controlled(namespace, owner, read);
    if (controlled.isEmpty()) {
      return withoutQueue ? Ancestors.Above.SUSPENDED : Ancestors.Above.NONE;
    }
    return controlled.stream().anyMatch(ExternalOwners::mayRun)
        ? Ancestors.Above.RUNNING
        : Ancestors.Above.SUSPENDED;
  }

  /** The Workloads that this very object controls, not one that had its name. */
  private List<Workload> controlled(
      String namespace, V1OwnerReference owner, Function<ObjectKey, Optional<Workload>> read) {
    return caches
        .workloadsOwnedBy(
            owner.getApiVersion(), owner.getKind(), new ObjectKey(namespace, owner.getName()))
        .stream()
        .flatMap(key -> read.apply(key).stream())
        .filter(workload -> controls(owner.getUid(), workload))
        .toList();
  }

  private static boolean mayRun(Workload workload) {
    return workload.conditions().admitted() && !workload.conditions().evicted();
  }

  private static boolean controls(String uid, Workload workload) {
    return controller(workload).filter(owner -> uid.equals(owner.getUid())).isPresent();
  }

  /** The object of such a kind that controls a Workload. */
  Optional<V1OwnerReference> of(Workload workload) {
    return controller(workload).filter(this::isKind);
  }

  private static Optional<V1OwnerReference> controller(Workload workload) {
    return Metadata.owners(workload).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst();
  }
}
