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
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.ExternalKind;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Jobs of kinds that somebody else's controller looks after. It makes their Workloads, starts them
 * and stops them; the core knows them by those Workloads alone, so that it needs no right to read
 * them. What belongs to such a Job runs on its quota.
 */
final class ExternalOwners {
  private final List<ExternalKind> kinds;
  private final CoreInformers caches;
  private final FreshCache<Workload> workloads;
  private final Eligibility eligibility;
  private final boolean withoutQueue;

  ExternalOwners(
      CoreInformers caches, FreshCache<Workload> workloads, Configuration configuration) {
    this.kinds = configuration.integrations().external();
    this.caches = caches;
    this.workloads = workloads;
    this.eligibility = new Eligibility(caches, configuration);
    this.withoutQueue = configuration.manageJobsWithoutQueueName();
  }

  boolean isKind(String apiVersion, String kind) {
    return kinds.stream().anyMatch(known -> known.is(apiVersion, kind));
  }

  boolean isKind(V1OwnerReference owner) {
    return isKind(owner.getApiVersion(), owner.getKind());
  }

  /**
   * Whether there is a Workload that belongs to an object of such a kind, in a namespace where Jobs
   * are managed.
   */
  boolean manages(String apiVersion, String kind, ObjectKey key) {
    return isKind(apiVersion, kind)
        && eligibility.in(key.namespace())
        && (withoutQueue || !caches.workloadsOwnedBy(apiVersion, kind, key).isEmpty());
  }

  /**
   * What an owner of such a kind means for what belongs to it. One that has no Workload yet is not
   * managed, unless everything is: then its Workload is still to come. Where nothing is managed, it
   * never comes.
   */
  Ancestors.Above above(String namespace, V1OwnerReference owner) {
    return above(namespace, owner, workloads::get);
  }

  /** The same as {@link #above}, by what the API server says now of the Workloads. */
  Ancestors.Above aboveNow(String namespace, V1OwnerReference owner) {
    return above(namespace, owner, workloads::live);
  }

  private Ancestors.Above above(
      String namespace, V1OwnerReference owner, Function<ObjectKey, Optional<Workload>> read) {
    if (!eligibility.in(namespace)) {
      return Ancestors.Above.NOBODY;
    }
    List<Workload> controlled =
        caches
            .workloadsOwnedBy(
                owner.getApiVersion(), owner.getKind(), new ObjectKey(namespace, owner.getName()))
            .stream()
            .flatMap(key -> read.apply(key).stream())
            .filter(workload -> controls(owner.getUid(), workload))
            .toList();
    if (controlled.isEmpty()) {
      return withoutQueue ? Ancestors.Above.SUSPENDED : Ancestors.Above.NOBODY;
    }
    return controlled.stream().anyMatch(ExternalOwners::mayRun)
        ? Ancestors.Above.RUNNING
        : Ancestors.Above.SUSPENDED;
  }

  private static boolean mayRun(Workload workload) {
    return Conditions.isTrue(workload.status().conditions(), WorkloadConditions.ADMITTED)
        && !Conditions.isTrue(workload.status().conditions(), WorkloadConditions.EVICTED);
  }

  private static boolean controls(String uid, Workload workload) {
    return controller(workload).filter(owner -> uid.equals(owner.getUid())).isPresent();
  }

  /** The object of such a kind that controls a Workload. */
  Optional<V1OwnerReference> of(Workload workload) {
    return controller(workload).filter(this::isKind);
  }

  private static Optional<V1OwnerReference> controller(Workload workload) {
    return Objects.requireNonNullElse(
            workload.metadata().getOwnerReferences(), List.<V1OwnerReference>of())
        .stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst();
  }
}
