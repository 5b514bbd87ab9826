// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages the Jobs of one kind: makes Workloads for those that need one, and binds the Job of a
 * Workload. Called only by the one worker of the Workload, so that starts and stops of a Job never
 * overlap.
 */
final class JobKindController<T extends KubernetesObject> {
  private static final Logger log = LoggerFactory.getLogger(JobKindController.class);

  private final JobKind<T> kind;
  private final JobStore<T> jobs;
  private final Eligibility eligibility;
  private final Ancestors ancestors;
  private final WorkloadsOfJobs workloads;
  private final JobDemand<T> demand;
  private final DuplicateWorkloads<T> duplicates;
  private final JobRuns<T> runs;
  private final JobNews news;
  private final JobKindParts<T> parts;

  JobKindController(
      JobStore<T> jobs,
      ManagedKinds kinds,
      WorkloadsOfJobs workloads,
      Priorities priorities,
      JobNews news,
      StoppedPods stoppedPods,
      Configuration configuration) {
    this.kind = jobs.kind();
    this.jobs = jobs;
    this.eligibility = kinds.eligibility();
    this.ancestors = kinds.ancestors();
    this.workloads = workloads;
    this.demand = new JobDemand<>(jobs, priorities, news.events(), configuration);
    this.duplicates = new DuplicateWorkloads<>(jobs, workloads);
    this.runs = new JobRuns<>(jobs, demand, news);
    this.news = news;
    this.parts =
        new JobKindParts<>(
            jobs,
            workloads,
            duplicates,
            demand,
            runs,
            news,
            stoppedPods,
            new Retention(configuration.objectRetention()));
  }

  /** The Job of a Workload; empty unless a Job of this kind controls it. */
  Optional<WorkloadJob> of(Workload workload) {
    return jobs.owner(workload).map(owner -> new ManagedJob<>(parts, workload));
  }

  /** The groups of its objects, if these are pods. */
  @SuppressWarnings("unchecked") // Objects of this type are V1Pods, so T is V1Pod.
  Optional<PodGroups> groups(ServingObjects serving) {
    return kind.type().equals(CoreTypes.POD)
        ? Optional.of(new PodGroups((JobKindParts<V1Pod>) parts, eligibility, serving))
        : Optional.empty();
  }

  /** See {@link Jobs#adopt}; several Jobs can name the same prebuilt Workload. */
  Jobs.Adoption adopt(ObjectKey workloadKey) {
    Jobs.Adoption outcome = Jobs.Adoption.NOT_NEEDED;
    for (T found : jobs.index().jobsOf(workloadKey)) {
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
    return jobs.index().workloadsFor(job).stream().anyMatch(key -> !key.equals(workload));
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
      news.unknownPods().tell(job, unknown, "queued");
      if (unknown.isPresent()) {
        return news.unknownPods().nextLook(job).isPresent()
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
            news.tell(job, "Suspended", "Kueue managed child job suspended");
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
    return jobs.workloadNames(job).stream().anyMatch(key -> workloads.live(key).isPresent());
  }

  /** Makes a Workload for a Job that is at rest. */
  private Jobs.Adoption create(T job) {
    if (JobWorkload.prebuilt(job).isPresent()) {
      demand.tellUnsupported(job);
      return Jobs.Adoption.PREBUILT_MISSING;
    }
    if (workloads.awaits(jobs.workloadName(job))) {
      return Jobs.Adoption.AWAITED;
    }
    if (duplicates.existsBeside(job, jobs.workloadName(job))) {
      // The cache was behind; the informer will bring the Workload.
      return Jobs.Adoption.CREATED;
    }
    Optional<List<PodSet>> whole = jobs.whole(job);
    if (whole.isEmpty()) {
      return Jobs.Adoption.CHANGED;
    }
    Optional<JobWorkload.Priority> priority = demand.priority(job);
    return priority.isEmpty()
        ? Jobs.Adoption.NO_PRIORITY
        : create(job, demand.newWorkload(asServed(job), whole.get(), priority.get()));
  }

  /**
   * The Job as an owner: of a kind with several versions, the cache may have it in one that has
   * been withdrawn since, by which the garbage collector doesn't find it.
   */
  private T asServed(T job) {
    return kind.type().otherVersions().isEmpty() ? job : jobs.reread(job).orElse(job);
  }

  private Jobs.Adoption create(T job, Workload workload) {
    ObjectKey key = ObjectKey.of(workload);
    try {
      demand.written(job, workload.spec().podSets(), workloads.create(kind.type(), job, workload));
      demand.tellUnsupported(job);
    } catch (KubernetesApiException.AlreadyExists e) {
      // The cache was behind; the informer will bring the Workload.
      workloads.forget(key);
      log.atDebug().addKeyValue("workload", key).log("The Workload exists already");
    } catch (KubernetesApiException.Invalid e) {
      demand.tellRefused(job, key, e);
      return Jobs.Adoption.REFUSED;
    }
    return Jobs.Adoption.CREATED;
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
    String owner = jobs.owner(workload).map(V1OwnerReference::getUid).orElse("");
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
    jobs.index().jobsOf(ObjectKey.of(workload)).stream()
        .flatMap(found -> jobs.get(ObjectKey.of(found)).stream())
        .filter(job -> !Uids.of(job).equals(owner))
        .filter(job -> Health.terminating(job) || kind.finished(job).isPresent())
        .forEach(job -> attempts.make(() -> runs.release(job)));
  }

  private Stream<T> named(Workload workload) {
    return jobs.index().jobsOf(ObjectKey.of(workload)).stream()
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
}
