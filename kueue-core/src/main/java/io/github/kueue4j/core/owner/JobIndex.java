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
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.WorkloadNames;
import io.github.kueue4j.runtime.Change;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.Informers;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Namespace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Finds the Jobs of one kind by their Workloads, and the Workloads that a change concerns. */
final class JobIndex<T extends KubernetesObject> {
  /** Index of Jobs by the {@code namespace/name} of their Workload. */
  private static final String BY_WORKLOAD = "workload";

  private static final String BY_EXTERNAL_OWNER = "external-owner";
  private static final String BY_NAMESPACE = "of-namespace";

  private final JobKind<T> kind;
  private final WorkloadNames names;
  private final CoreInformers caches;
  private final Eligibility eligibility;
  private final Ancestors ancestors;
  private final Informer<T> informer;

  /**
   * Registers an informer.
   *
   * @param trimmed a Job as caches keep it
   */
  JobIndex(
      JobKind<T> kind,
      WorkloadNames names,
      Informers informers,
      UnaryOperator<T> trimmed,
      CoreInformers caches,
      Eligibility eligibility,
      Ancestors ancestors) {
    this.kind = kind;
    this.names = names;
    this.caches = caches;
    this.eligibility = eligibility;
    this.ancestors = ancestors;
    this.informer =
        informers
            .of(kind.type())
            .transform(trimmed)
            .index(
                BY_WORKLOAD,
                job -> names.all(kind.type(), job).stream().map(ObjectKey::toString).toList())
            .index(BY_EXTERNAL_OWNER, job -> ancestors.external(job).stream().toList())
            .index(BY_NAMESPACE, job -> List.of(ObjectKey.of(job).namespace()))
            .register();
  }

  Informer<T> informer() {
    return informer;
  }

  /** Wakes the Workloads of Jobs that change. */
  void watchedBy(Controller.Builder controller) {
    controller.watch(informer, this::workloadsOf);
    controller.watch(caches.namespaces(), this::workloadsIn);
    controller.watch(caches.workloads(), this::workloadsBelow);
  }

  /** The Jobs for which a Workload of this name may stand, as they are cached. */
  List<T> jobsOf(ObjectKey workload) {
    return informer.byIndex(BY_WORKLOAD, workload.toString());
  }

  /** Those that bear one of the names that the Job's Workload may have. */
  List<ObjectKey> workloadsFor(T job) {
    return names.all(kind.type(), job).stream()
        .filter(key -> caches.workloads().get(key).isPresent())
        .toList();
  }

  /** A Job that comes to name another Workload also concerns the one that it leaves. */
  private Set<ObjectKey> workloadsOf(Change<T> change) {
    Set<ObjectKey> concerned = new LinkedHashSet<>(concernedBy(change.object()));
    if (change instanceof Change.Updated<T> updated) {
      concerned.addAll(concernedBy(updated.before()));
    }
    return concerned;
  }

  /** Whether Jobs are managed depends on their namespace, which may be seen after them. */
  private List<ObjectKey> workloadsIn(Change<V1Namespace> change) {
    if (change instanceof Change.Deleted
        || (change instanceof Change.Updated<V1Namespace> updated
            && Eligibility.labels(updated.before()).equals(Eligibility.labels(updated.object())))) {
      return List.of();
    }
    return informer.byIndex(BY_NAMESPACE, change.key().name()).stream()
        .flatMap(job -> concernedBy(job).stream())
        .toList();
  }

  /** What belongs to somebody else's Job follows the Workload of that. */
  private List<ObjectKey> workloadsBelow(Change<Workload> change) {
    return ancestors.external(change.object()).stream()
        .flatMap(owner -> informer.byIndex(BY_EXTERNAL_OWNER, owner).stream())
        .flatMap(job -> concernedBy(job).stream())
        .toList();
  }

  /**
   * The Workload of a Job that changed; empty if neither the Job nor a Workload is our business.
   */
  private List<ObjectKey> concernedBy(T job) {
    List<ObjectKey> existing = workloadsFor(job);
    return existing.isEmpty() && (eligibility.of(job) || ancestors.possible(job))
        ? List.of(names.of(kind.type(), job))
        : existing;
  }
}
