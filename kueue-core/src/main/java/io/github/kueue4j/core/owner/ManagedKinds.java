// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/** The kinds of Jobs that are managed, and the rules by which their Jobs are. */
@API(status = API.Status.INTERNAL)
public final class ManagedKinds {
  private final ExternalOwners externals;
  private final Eligibility eligibility;
  private final Ancestors ancestors;
  private final List<JobStore<?>> stores;

  /**
   * The kinds of the configuration; registers an informer for each.
   *
   * @param workloads by which Jobs follow owners that an external controller manages
   */
  public ManagedKinds(
      Informers informers,
      CoreInformers caches,
      FreshCache<Workload> workloads,
      KubernetesApi api,
      EventRecorder events,
      Configuration configuration) {
    this.externals = new ExternalOwners(caches, workloads, api, configuration);
    this.eligibility = new Eligibility(caches, configuration);
    this.ancestors = new Ancestors(this, externals, events);
    // The stores look at the others when they are used, and at the rules at once.
    this.stores =
        configuration.integrations().managed().stream()
            .<JobStore<?>>map(
                kind -> new JobStore<>(kind, informers, caches, api, this, configuration))
            .toList();
  }

  ExternalOwners externals() {
    return externals;
  }

  Eligibility eligibility() {
    return eligibility;
  }

  Ancestors ancestors() {
    return ancestors;
  }

  List<JobStore<?>> stores() {
    return stores;
  }

  /** The one whose objects are of this type; empty if it isn't managed. */
  Optional<JobStore<?>> of(ResourceType<?> type) {
    return first(store -> store.kind().type().equals(type));
  }

  /** The one that an owner reference points to; empty if it isn't managed. */
  Optional<JobStore<?>> of(V1OwnerReference owner) {
    return first(store -> store.isKindOf(owner));
  }

  private Optional<JobStore<?>> first(Predicate<JobStore<?>> which) {
    return stores.stream().filter(which).findFirst();
  }
}
