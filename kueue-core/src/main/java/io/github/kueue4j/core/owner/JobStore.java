// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.WorkloadNames;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.informer.Informers;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The Jobs of one kind: reads them as the core's own writes have left them, finds them by their
 * Workloads and as the owners of other Jobs, and writes them. Safe for use by several threads,
 * those of webhooks among them.
 */
final class JobStore<T extends KubernetesObject> {
  /** Jobs whose pods are remembered until their Workload is made; further ones are read again. */
  private static final int ARRIVALS = 256;

  private final JobKind<T> kind;
  private final ManagedKinds kinds;
  private final WorkloadNames names;
  private final WholePods<T> wholePods;
  private final JobIndex<T> index;
  private final FreshCache<T> jobs;
  private final ChildJobs<T> children;

  /** The Jobs of a kind; registers an informer. */
  JobStore(
      JobKind<T> kind,
      Informers informers,
      CoreInformers caches,
      KubernetesApi api,
      ManagedKinds kinds,
      Configuration configuration) {
    this.kind = kind;
    this.kinds = kinds;
    this.names = NewWorkloads.of(configuration).names();
    this.wholePods = new WholePods<>(kind, ARRIVALS);
    this.index = new JobIndex<>(kind, names, informers, caches, wholePods::trimmed, kinds);
    this.jobs =
        FreshCache.over(
            index.informer(),
            kind.type(),
            api,
            (read, known) -> wholePods.trimmed(read),
            kind.podsIn().isPresent() ? this::completed : (job, live) -> job);
    this.children = new ChildJobs<>(kind, api);
  }

  private T completed(T job, boolean live) {
    ObjectKey key = ObjectKey.of(job);
    return kind.completed(
        job, type -> kinds.of(type).flatMap(pods -> live ? pods.live(key) : pods.get(key)));
  }

  JobKind<T> kind() {
    return kind;
  }

  JobIndex<T> index() {
    return index;
  }

  /** See {@link FreshCache#get}. */
  Optional<T> get(ObjectKey key) {
    return jobs.get(key);
  }

  /** See {@link FreshCache#live}. */
  Optional<T> live(ObjectKey key) {
    return jobs.live(key);
  }

  /** This very Job, read from the API server; empty if it is gone. */
  Optional<T> reread(T job) {
    return jobs.live(ObjectKey.of(job)).filter(read -> Uids.of(read).equals(Uids.of(job)));
  }

  /** Jobs, read from the API server. */
  List<T> list(ListOptions options) {
    return jobs.list(options);
  }

  /** Writes what differs, if the Job is still as it was before. */
  T write(T before, T after) {
    return jobs.write(GuardedPatch.between(before, after));
  }

  /** As {@link #write}, for its status. */
  T writeStatus(T before, T after) {
    return jobs.writeStatus(GuardedPatch.between(before, after));
  }

  /** Deletes this very Job. */
  void delete(T job) {
    jobs.delete(job);
  }

  /** See {@link ChildJobs#prepare}. */
  void prepareChildren(T resumed) {
    children.prepare(resumed);
  }

  /** Wakes the Workloads of Jobs that change. */
  void watchedBy(Controller.Builder controller) {
    index.watchedBy(controller);
    kind.podsIn()
        .flatMap(kinds::of)
        .ifPresent(pods -> index.podsWatchedBy(controller, pods.index.informer()));
  }

  /** Whether the objects that have its pods, if others have them, are listed. */
  boolean seesPods() {
    return kind.podsIn()
        .flatMap(kinds::of)
        .filter(pods -> !pods.index.informer().health().served())
        .isEmpty();
  }

  /**
   * The pods that this version of a Job asks for, without the cache's trimming; empty if there is a
   * newer version.
   */
  Optional<List<PodSet>> whole(T job) {
    ObjectKey key = ObjectKey.of(job);
    return kind.podsIn().isPresent()
        ? kind.podsIn().flatMap(kinds::of).flatMap(pods -> pods.whole(key))
        : wholePods.of(job).or(() -> jobs.live(key).flatMap(read -> wholePods.of(job)));
  }

  private Optional<List<PodSet>> whole(ObjectKey key) {
    return jobs.get(key).flatMap(this::whole);
  }

  /** The key of the Workload that a Job names, or that is to be created for it. */
  ObjectKey workloadName(T job) {
    return names.of(kind.type(), job);
  }

  /** All keys that a Job's Workload may have. */
  List<ObjectKey> workloadNames(T job) {
    return names.all(kind.type(), job);
  }

  /** Whether a Job names the Workload, or is the one that it was made from. */
  boolean runsOn(Workload workload, T job) {
    return workloadNames(job).contains(ObjectKey.of(workload));
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
        .filter(this::isKindOf)
        .findFirst();
  }

  /** Whether an owner reference points to this kind. */
  boolean isKindOf(V1OwnerReference owner) {
    return kind.type().isNamed(owner.getApiVersion(), owner.getKind());
  }

  /** Whether there is such an object of this kind, and it decides whether the child is managed. */
  boolean manages(String namespace, V1OwnerReference owner, ChildJob child) {
    return isKindOf(owner)
        && creator(namespace, owner, child)
            .filter(job -> kinds.eligibility().of(kind, job) || hasPodsIn(child.type()))
            .isPresent();
  }

  /** Whether the pods of its objects are in objects of this type. */
  boolean hasPodsIn(ResourceType<?> type) {
    return kind.podsIn().filter(type::equals).isPresent();
  }

  /**
   * The owner, if it creates such a child. The cache may not yet have the status in which the owner
   * names its child; a child that was suspended because of that would stay suspended.
   */
  private Optional<T> creator(String namespace, V1OwnerReference owner, ChildJob child) {
    ObjectKey key = new ObjectKey(namespace, owner.getName());
    Predicate<T> creates = job -> Uids.of(job).equals(owner.getUid()) && kind.creates(job, child);
    return jobs.get(key).filter(creates).or(() -> readable(key).filter(creates));
  }

  /** The object as it is now; of a kind that this account may not read, and never could, none. */
  private Optional<T> readable(ObjectKey key) {
    try {
      return jobs.live(key);
    } catch (KubernetesApiException.Forbidden e) {
      if (index.informer().health().served()) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /**
   * The Job that an owner reference points to, if it creates such a child; read from the API if the
   * cache doesn't have it.
   */
  Optional<Ancestors.Level<T>> parent(
      String namespace, V1OwnerReference owner, Ancestors.Level<?> child) {
    return creator(namespace, owner, child.asChild()).map(job -> new Ancestors.Level<>(kind, job));
  }

  /**
   * The state of a Job of this kind, for the Jobs that belong to it; empty if it isn't managed.
   *
   * @param now whether to read it from the API if its controller resumes no Jobs
   */
  Optional<Ancestors.Above> asAncestor(KubernetesObject found, boolean now) {
    T cached = kind.type().type().cast(found);
    T job = now && !kind.resumesJobs() ? reread(cached).orElse(cached) : cached;
    return kinds.eligibility().of(kind, job)
        ? Optional.of(kind.suspended(job) ? Ancestors.Above.SUSPENDED : Ancestors.Above.RUNNING)
        : Optional.empty();
  }
}
