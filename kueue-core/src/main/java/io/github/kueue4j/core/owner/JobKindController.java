// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.WorkloadNames;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.Controller;
import io.github.kueue4j.runtime.informer.Informers;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages the Jobs of one kind: makes Workloads for those that need one, and binds the Job of a
 * Workload. Called only by the one worker of the Workload, so that starts and stops of a Job never
 * overlap.
 */
final class JobKindController<T extends KubernetesObject> {
  /** Jobs whose pods are remembered until their Workload is made; further ones are read again. */
  private static final int ARRIVALS = 256;

  private static final Logger log = LoggerFactory.getLogger(JobKindController.class);

  private final JobKind<T> kind;
  private final WorkloadNames names;
  private final JobIndex<T> index;
  private final FreshCache<T> jobs;
  private final Eligibility eligibility;
  private final KubernetesApi api;
  private final Priorities priorities;
  private final EventRecorder events;
  private final JobListener listener;
  private final Ancestors ancestors;
  private final OfType others;
  private final AwaitedWorkloads awaited;
  private final UnknownPods unknownPods;

  private final OwnedJobs<T> owned;
  private final DuplicateWorkloads<T> duplicates;
  private final JobRuns<T> runs;
  private final JobDemand<T> demand;
  private final JobKindParts<T> parts;

  /** The managed kinds. */
  @FunctionalInterface
  interface OfType {
    /** The one whose objects are of this type; empty if it isn't managed. */
    Optional<JobKindController<?>> of(ResourceType<?> type);
  }

  /**
   * The controller of a kind.
   *
   * @param dependent the kinds whose pods are in objects of this one
   */
  JobKindController(
      JobKind<T> kind,
      List<? extends ResourceType<?>> dependent,
      Informers informers,
      CoreInformers caches,
      KubernetesApi api,
      Priorities priorities,
      Ancestors ancestors,
      OfType others,
      AwaitedWorkloads awaited,
      EventRecorder events,
      JobListener listener,
      Retention retention,
      StoppedPods stoppedPods,
      UnheededStops unheeded,
      DroppedFields dropped,
      RefusedStarts refused,
      UnknownPods unknownPods,
      Configuration configuration) {
    this.kind = kind;
    this.names = NewWorkloads.of(configuration).names();
    WholePods<T> wholePods = new WholePods<>(kind, ARRIVALS);
    this.eligibility = new Eligibility(caches, configuration);
    this.index =
        new JobIndex<>(
            kind, names, informers, wholePods::trimmed, caches, eligibility, ancestors, dependent);
    this.jobs =
        FreshCache.over(
            index.informer(),
            kind.type(),
            api,
            (read, known) -> wholePods.trimmed(read),
            kind.podsIn().isPresent() ? this::completed : (job, live) -> job);
    this.priorities = priorities;
    this.ancestors = ancestors;
    this.others = others;
    this.awaited = awaited;
    this.unknownPods = unknownPods;
    this.demand =
        new JobDemand<>(
            kind, job -> whole(job, wholePods), this::seesPods, priorities, events, configuration);
    this.owned = new OwnedJobs<>(kind, names, jobs);
    this.duplicates = new DuplicateWorkloads<>(kind, names, owned, caches, api);
    this.runs = new JobRuns<>(kind, jobs, owned, demand, api, unheeded, dropped, refused);
    this.parts =
        new JobKindParts<>(
            kind,
            owned,
            duplicates,
            runs,
            demand,
            stoppedPods,
            unknownPods,
            retention,
            api,
            events);
    this.api = api;
    this.events = events;
    this.listener = listener;
  }

  /** Wakes the Workloads of Jobs that change. */
  void watchedBy(Controller.Builder controller) {
    index.watchedBy(controller);
    kind.podsIn()
        .flatMap(others::of)
        .ifPresent(pods -> index.podsWatchedBy(controller, pods.index.informer()));
  }

  private T completed(T job, boolean live) {
    ObjectKey key = ObjectKey.of(job);
    return kind.completed(
        job,
        type -> others.of(type).flatMap(pods -> live ? pods.jobs.live(key) : pods.jobs.get(key)));
  }

  /** Whether the objects that have its pods, if others have them, are listed. */
  private boolean seesPods() {
    return kind.podsIn()
        .flatMap(others::of)
        .filter(pods -> !pods.index.informer().health().served())
        .isEmpty();
  }

  private Optional<List<PodSet>> whole(T job, WholePods<T> wholePods) {
    ObjectKey key = ObjectKey.of(job);
    return kind.podsIn().isPresent()
        ? kind.podsIn().flatMap(others::of).flatMap(pods -> pods.whole(key))
        : wholePods.of(job).or(() -> jobs.live(key).flatMap(read -> wholePods.of(job)));
  }

  private Optional<List<PodSet>> whole(ObjectKey key) {
    return jobs.get(key).flatMap(demand::whole);
  }

  /** The Job of a Workload; empty unless a Job of this kind controls it. */
  Optional<WorkloadJob> of(Workload workload) {
    return owned.owner(workload).map(owner -> new ManagedJob<>(parts, workload));
  }

  /** The groups of its objects, if these are pods. */
  @SuppressWarnings("unchecked") // Objects of this type are V1Pods, so T is V1Pod.
  Optional<PodGroups> groups() {
    return kind.type().equals(CoreTypes.POD)
        ? Optional.of(
            new PodGroups(
                (JobKindParts<V1Pod>) parts,
                (JobIndex<V1Pod>) index,
                (FreshCache<V1Pod>) jobs,
                eligibility,
                priorities,
                awaited,
                listener))
        : Optional.empty();
  }

  /** See {@link Jobs#adopt}; several Jobs can name the same prebuilt Workload. */
  Jobs.Adoption adopt(ObjectKey workloadKey) {
    Jobs.Adoption outcome = Jobs.Adoption.NOT_NEEDED;
    for (T found : index.jobsOf(workloadKey)) {
      Jobs.Adoption adoption =
          jobs.get(ObjectKey.of(found))
              .filter(job -> !hasAnotherWorkload(job, workloadKey))
              .map(this::adopt)
              .orElse(Jobs.Adoption.NOT_NEEDED);
      outcome = adoption == Jobs.Adoption.NOT_NEEDED ? outcome : adoption;
    }
    return outcome;
  }

  /** Whether a Workload with another one of the Job's names for it exists. */
  private boolean hasAnotherWorkload(T job, ObjectKey workload) {
    return index.workloadsFor(job).stream().anyMatch(key -> !key.equals(workload));
  }

  private Jobs.Adoption adopt(T job) {
    if (Health.terminating(job) || kind.finished(job).isPresent()) {
      runs.release(job);
      return Jobs.Adoption.NOT_NEEDED;
    }
    if (!kind.manageable(job)) {
      return Jobs.Adoption.NOT_NEEDED;
    }
    List<PodSet> podSets = demand.unmarked(job);
    Ancestors.Above above = ancestors.above(kind, job);
    if (above == Ancestors.Above.NONE && eligibility.excludes(job)) {
      demand.tellExcluded(job);
      return Jobs.Adoption.NOT_NEEDED;
    }
    Optional<V1OwnerReference> whole =
        above == Ancestors.Above.NONE ? ancestors.ofItsPods(kind, job) : Optional.empty();
    if (whole.isPresent()) {
      demand.tellPartOf(job, whole.get());
      return Jobs.Adoption.NOT_NEEDED;
    }
    AdoptionNeed need =
        AdoptionNeed.of(
            above,
            eligibility.of(kind, job),
            kind.suspended(job),
            kind.stopped(job) && kind.nextStopStep(job, podSets).isEmpty());
    boolean ofItsOwn = need == AdoptionNeed.STOP || need == AdoptionNeed.WORKLOAD;
    if (ofItsOwn && demand.runsElsewhere(job).isPresent()) {
      demand.tellUnsupported(job);
      return Jobs.Adoption.NOT_NEEDED;
    }
    if (need == AdoptionNeed.WORKLOAD && demand.refuses(job)) {
      return Jobs.Adoption.NOT_NEEDED;
    }
    if (need == AdoptionNeed.WORKLOAD) {
      Optional<String> unknown = demand.unknownPods(job);
      unknownPods.tell(job, unknown, "queued");
      if (unknown.isPresent()) {
        return unknownPods.nextLook(job).isPresent()
            ? Jobs.Adoption.AWAITS_PODS
            : Jobs.Adoption.NOT_NEEDED;
      }
    }
    return switch (need) {
      case NOTHING -> Jobs.Adoption.NOT_NEEDED;
      case SUSPENSION -> {
        if (ancestors.suspends(kind, job)) {
          runs.stop(job, podSets);
          if (!kind.stopBegun(job)) {
            events.normal(job, "Suspended", "Suspended", "Kueue managed child job suspended");
          }
        }
        yield Jobs.Adoption.NOT_NEEDED;
      }
      case STOP -> {
        if (kind.suspendField().isEmpty() && hasWorkloadByNow(job)) {
          yield Jobs.Adoption.CREATED;
        }
        boolean refused = demand.refuses(job); // It is told, also where it can't be stopped.
        if (runs.stop(job, podSets) != Owner.STOPPED || refused) {
          yield Jobs.Adoption.STOPPING;
        }
        // What is elsewhere comes by its own informer.
        yield kind.podsIn().isPresent() ? Jobs.Adoption.CHANGED : create(job);
      }
      case WORKLOAD -> create(job);
    };
  }

  /** What can't be resumed isn't stopped because a cache is behind. */
  private boolean hasWorkloadByNow(T job) {
    return names.all(kind.type(), job).stream()
        .anyMatch(key -> api.get(KueueTypes.WORKLOAD, key).isPresent());
  }

  /** Makes a Workload for a Job that is at rest. */
  private Jobs.Adoption create(T job) {
    if (JobWorkload.prebuilt(job).isPresent()) {
      demand.tellUnsupported(job);
      return Jobs.Adoption.PREBUILT_MISSING;
    }
    if (awaited.contains(names.of(kind.type(), job))) {
      return Jobs.Adoption.AWAITED;
    }
    if (duplicates.existsBeside(job, names.of(kind.type(), job))) {
      // The cache was behind; the informer will bring the Workload.
      return Jobs.Adoption.CREATED;
    }
    Optional<List<PodSet>> whole = demand.whole(job);
    if (whole.isEmpty()) {
      return Jobs.Adoption.CHANGED;
    }
    return switch (priorities.of(kind, job)) {
      case Priorities.PriorityLookup.Missing missing -> {
        demand.tellMissing(job, missing);
        yield Jobs.Adoption.NO_PRIORITY;
      }
      case Priorities.PriorityLookup.Known known ->
          create(job, demand.newWorkload(asServed(job), whole.get(), known.priority()));
    };
  }

  /**
   * The Job as an owner: of a kind with several versions, the cache may have it in one that has
   * been withdrawn since, by which the garbage collector doesn't find it.
   */
  private T asServed(T job) {
    return kind.type().otherVersions().isEmpty()
        ? job
        : jobs.live(ObjectKey.of(job))
            .filter(read -> Uids.of(read).equals(Uids.of(job)))
            .orElse(job);
  }

  private Jobs.Adoption create(T job, Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    try {
      demand.written(job, workload.spec().podSets(), create(key, workload));
      listener.workloadCreated(kind.type(), job);
      demand.tellUnsupported(job);
    } catch (KubernetesApiException.AlreadyExists e) {
      // The cache was behind; the informer will bring the Workload.
      log.atDebug().addKeyValue("workload", key).log("The Workload exists already");
    } catch (KubernetesApiException.Invalid e) {
      demand.tellRefused(job, key, e);
      return Jobs.Adoption.REFUSED;
    }
    return Jobs.Adoption.CREATED;
  }

  private Workload create(ObjectKey key, Workload workload) {
    // Before the request: the informer may show the Workload before the answer is here.
    awaited.await(key);
    try {
      return api.create(KueueTypes.WORKLOAD, workload);
    } catch (RuntimeException e) {
      awaited.forget(key);
      throw e;
    }
  }

  /** The Workload with the Job that names it as its controller, if it has none. */
  Optional<Workload> claimed(Workload workload) {
    boolean controlled =
        Metadata.owners(workload).stream()
            .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    return controlled
        ? Optional.empty()
        : named(workload)
            .filter(job -> JobWorkload.prebuilt(job).isPresent() && managed(job))
            .min(Comparator.comparing(Uids::of))
            .map(job -> JobWorkload.ownedBy(kind.type(), asServed(job), workload));
  }

  /** Stops Jobs that name a Workload of another Job, and lets go of those of them that end. */
  void stopOtherJobs(Workload workload, Attempts attempts) {
    String owner = owned.owner(workload).map(V1OwnerReference::getUid).orElse("");
    named(workload)
        .filter(job -> !Uids.of(job).equals(owner) && !kind.suspended(job))
        .forEach(
            job ->
                attempts.make(
                    () -> {
                      if (managed(job)) {
                        attempts.stop(() -> runs.stop(job, demand.unmarked(job)));
                      }
                    }));
    index.jobsOf(ObjectKey.of(workload)).stream()
        .flatMap(found -> jobs.get(ObjectKey.of(found)).stream())
        .filter(job -> !Uids.of(job).equals(owner))
        .filter(job -> Health.terminating(job) || kind.finished(job).isPresent())
        .forEach(job -> attempts.make(() -> runs.release(job)));
  }

  private Stream<T> named(Workload workload) {
    return index.jobsOf(ObjectKey.of(workload)).stream()
        .flatMap(found -> jobs.get(ObjectKey.of(found)).stream())
        .filter(job -> !Health.terminating(job) && kind.finished(job).isEmpty())
        .filter(job -> kind.refusal(job).isEmpty());
  }

  private boolean managed(T job) {
    return eligibility.of(kind, job)
        && ancestors.above(kind, job) == Ancestors.Above.NONE
        && ancestors.ofItsPods(kind, job).isEmpty();
  }

  void forget(ObjectKey workload) {
    demand.forget(workload);
  }

  /** Whether there is such an object of this kind, and it decides whether the child is managed. */
  boolean manages(String namespace, V1OwnerReference owner, ChildJob child) {
    return isKindOf(owner)
        && creator(namespace, owner, child)
            .filter(job -> eligibility.of(kind, job) || hasPodsIn(child.type()))
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

  /** A label selector of the pods of the object with this uid. */
  String podSelector(String uid) {
    return kind.podSelector(uid);
  }

  /** Whether objects of this kind create Jobs. */
  boolean createsJobs() {
    return kind.createsJobs();
  }

  /** Whether its objects are of this type. */
  boolean isOf(ResourceType<?> type) {
    return kind.type().equals(type);
  }

  /** Whether an owner reference points to this kind. */
  boolean isKindOf(V1OwnerReference owner) {
    return OwnedJobs.isKindOf(kind.type(), owner);
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
    T job =
        now && !kind.resumesJobs()
            ? jobs.live(ObjectKey.of(cached))
                .filter(read -> Uids.of(read).equals(Uids.of(cached)))
                .orElse(cached)
            : cached;
    return eligibility.of(kind, job)
        ? Optional.of(kind.suspended(job) ? Ancestors.Above.SUSPENDED : Ancestors.Above.RUNNING)
        : Optional.empty();
  }
}
