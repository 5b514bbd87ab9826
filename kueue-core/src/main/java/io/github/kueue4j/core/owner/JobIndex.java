// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadPriorityClass;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.WorkloadNames;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.informer.Change;
import io.github.kueue4j.runtime.informer.Informer;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Finds the Jobs of one kind by their Workloads, and the Workloads that a change affects. */
final class JobIndex<T extends KubernetesObject> {
  /** The groups of the kinds that every server has. */
  private static final Set<String> ALWAYS_SERVED =
      Set.of(CoreTypes.POD.group(), CoreTypes.JOB.group());

  /** Index of Jobs by the {@code namespace/name} of their Workload. */
  private static final String BY_WORKLOAD = "workload";

  /** Index of the members of groups by the {@code namespace/name} of the group. */
  private static final String BY_GROUP = "group";

  private static final String BY_EXTERNAL_OWNER = "external-owner";
  private static final String BY_NAMESPACE = "of-namespace";
  private static final String BY_PRIORITY_CLASS = "priority-class";

  private final JobKind<T> kind;
  private final WorkloadNames names;
  private final CoreInformers caches;
  private final Eligibility eligibility;
  private final Ancestors ancestors;
  private final ManagedKinds kinds;
  private final Informer<T> informer;

  /**
   * Registers an informer.
   *
   * @param trimmed makes a Job what the cache keeps of it
   */
  JobIndex(
      JobKind<T> kind,
      WorkloadNames names,
      Informers informers,
      CoreInformers caches,
      UnaryOperator<T> trimmed,
      ManagedKinds kinds) {
    this.kind = kind;
    this.names = names;
    this.caches = caches;
    this.eligibility = kinds.eligibility();
    this.ancestors = kinds.ancestors();
    this.kinds = kinds;
    Informers.Spec<T> watched = informers.of(kind.type());
    kind.selector().ifPresent(watched::labelSelector);
    if (!ALWAYS_SERVED.contains(kind.type().group())) {
      watched.optional(this::hasNoWorkloads);
    }
    this.informer =
        watched
            .transform(trimmed)
            .index(BY_WORKLOAD, job -> kind.group(job).isPresent() ? List.of() : texts(keys(job)))
            .index(BY_GROUP, job -> kind.group(job).isPresent() ? texts(keys(job)) : List.of())
            .index(BY_EXTERNAL_OWNER, job -> ancestors.external(job).stream().toList())
            .index(BY_NAMESPACE, job -> List.of(ObjectKey.of(job).namespace()))
            .index(BY_PRIORITY_CLASS, JobIndex::priorityClass)
            .register();
  }

  Informer<T> informer() {
    return informer;
  }

  /**
   * Whether no unfinished Workload belongs to an object of the kind, or of one whose pods are in
   * such objects, so that none runs on quota.
   */
  private boolean hasNoWorkloads() {
    return caches.workloads().health().synced()
        && caches.workloads().list().stream()
            .filter(workload -> !workload.conditions().finished())
            .flatMap(workload -> Metadata.owners(workload).stream())
            .noneMatch(
                owner ->
                    kinds
                        .of(owner)
                        .filter(
                            store ->
                                store.kind().type().equals(kind.type())
                                    || store.hasPodsIn(kind.type()))
                        .isPresent());
  }

  /** Wakes the Workloads of Jobs that change. */
  void watchedBy(Controller.Builder controller) {
    controller.watch(informer, this::workloadsOf, this::onlyWaits);
    controller.watch(caches.namespaces(), this::workloadsIn);
    controller.watch(caches.workloads(), this::workloadsBelow);
    controller.watch(caches.workloadPriorityClasses(), this::workloadsMissing);
  }

  /** Wakes the Workloads of Jobs whose pods are in objects of the same name, when these change. */
  <P extends KubernetesObject> void podsWatchedBy(
      Controller.Builder controller, Informer<P> objects) {
    controller.watch(
        objects, change -> informer.get(change.key()).map(this::concernedBy).orElseGet(List::of));
  }

  /** All keys that the Workload of a Job may have, that of a new one first. */
  private List<ObjectKey> keys(T job) {
    return kind.group(job)
        .map(group -> List.of(new ObjectKey(ObjectKey.of(job).namespace(), group)))
        .orElseGet(() -> names.all(kind.type(), job));
  }

  private static List<String> texts(List<ObjectKey> keys) {
    return keys.stream().map(ObjectKey::toString).toList();
  }

  /** The cached members of the group whose Workload has this name. */
  List<T> membersOf(ObjectKey workload) {
    return informer.byIndex(BY_GROUP, workload.toString());
  }

  /** The cached Jobs with a Workload of their own that may have this name. */
  List<T> jobsOf(ObjectKey workload) {
    return informer.byIndex(BY_WORKLOAD, workload.toString());
  }

  /** The existing Workloads with one of the names that the Job's Workload may have. */
  List<ObjectKey> workloadsFor(T job) {
    return keys(job).stream().filter(key -> caches.workloads().get(key).isPresent()).toList();
  }

  /** A Job that begins to name another Workload also affects the one that it named before. */
  private Set<ObjectKey> workloadsOf(Change<T> change) {
    Set<ObjectKey> concerned = new LinkedHashSet<>(concernedBy(change.object()));
    if (change instanceof Change.Updated<T> updated) {
      concerned.addAll(concernedBy(updated.before()));
    }
    if (beginsToNameAQueue(change) && eligibility.excludes(change.object())) {
      concerned.add(keys(change.object()).getFirst()); // Its user is to be told.
    }
    return concerned;
  }

  /**
   * Whether a Job does nothing yet and has no Workload. Thousands of them may come at once, and
   * nothing that holds quota or has been given some is to wait until all have a Workload.
   */
  private boolean onlyWaits(Change<T> change) {
    return !(change instanceof Change.Deleted)
        && kind.stopped(change.object())
        && workloadsFor(change.object()).isEmpty();
  }

  private boolean beginsToNameAQueue(Change<T> change) {
    return switch (change) {
      case Change.Added<T> added -> true;
      case Change.Updated<T> updated ->
          !JobWorkload.queueName(updated.before()).equals(JobWorkload.queueName(updated.object()));
      case Change.Deleted<T> deleted -> false;
    };
  }

  /**
   * The Workloads of Jobs in a namespace that was cached after them: it decides whether they are
   * managed.
   */
  private List<ObjectKey> workloadsIn(Change<V1Namespace> change) {
    if (change instanceof Change.Deleted
        || (change instanceof Change.Updated<V1Namespace> updated
            && Eligibility.labels(updated.before()).equals(Eligibility.labels(updated.object())))) {
      return List.of();
    }
    return informer.byIndex(BY_NAMESPACE, change.key().name()).stream()
        .flatMap(
            job ->
                eligibility.excludes(job)
                    ? Stream.of(keys(job).getFirst())
                    : concernedBy(job).stream())
        .toList();
  }

  private static List<String> priorityClass(KubernetesObject job) {
    V1ObjectMeta metadata = job.getMetadata();
    return metadata == null || metadata.getLabels() == null
        ? List.of()
        : Optional.ofNullable(metadata.getLabels().get(Keys.PRIORITY_CLASS)).stream().toList();
  }

  /** A Job that names a class which doesn't exist gets its Workload when the class comes. */
  private List<ObjectKey> workloadsMissing(Change<WorkloadPriorityClass> change) {
    return change instanceof Change.Deleted
        ? List.of()
        : informer.byIndex(BY_PRIORITY_CLASS, change.key().name()).stream()
            .filter(job -> workloadsFor(job).isEmpty())
            .flatMap(job -> concernedBy(job).stream())
            .toList();
  }

  /** Jobs that belong to an external controller's Job follow the Workload of that. */
  private List<ObjectKey> workloadsBelow(Change<Workload> change) {
    return ancestors.external(change.object()).stream()
        .flatMap(owner -> informer.byIndex(BY_EXTERNAL_OWNER, owner).stream())
        .flatMap(job -> concernedBy(job).stream())
        .toList();
  }

  /** The Workloads of a Job that changed; empty if the Job isn't managed and has none. */
  private List<ObjectKey> concernedBy(T job) {
    List<ObjectKey> existing = workloadsFor(job);
    return existing.isEmpty()
            && (eligibility.of(kind, job)
                || ancestors.possible(job)
                || kind.released(job).isPresent())
        ? List.of(keys(job).getFirst())
        : existing;
  }
}
