// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.jobs.ChildJob;
import io.github.kueue4j.jobs.JobWorkload;
import io.github.kueue4j.jobs.PodGroup;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.controller.Controller;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * The Jobs of all kinds that are managed. {@link #of} binds the Job of one Workload; the other
 * methods concern all kinds. What changes Jobs is called only by the one worker of the Workload, so
 * that starts and stops of a Job never overlap.
 */
@API(status = API.Status.INTERNAL)
public final class Jobs {
  /** Reason of Finished: the Job can't run with what flavors and checks ask for. */
  public static final String FAILED_TO_START = "FailedToStart";

  /** Reason of the condition SuspensionUnheeded: the API server refuses the stop of the Job. */
  public static final String STOP_REFUSED = "StopRefused";

  /** How long a Job that is stopped may take to change before it is looked at again. */
  public static final Duration STOPPING_FOR = UnheededStops.TOLD_AFTER;

  /** How long it may be unknown what pods a Job asks for before that is told. */
  public static final Duration AWAITS_PODS_FOR = UnknownPods.TOLD_AFTER;

  /** How long a Workload that was created is waited for before it is created again. */
  public static final Duration AWAITED_FOR = WorkloadsOfJobs.PATIENCE;

  private final ManagedKinds kinds;
  private final List<? extends JobKindController<?>> controllers;
  private final Optional<PodGroups> groups;
  private final Priorities priorities;
  private final Retention retention;
  private final StoppedPods stoppedPods;
  private final boolean finishesOrphans;

  /**
   * Jobs of these kinds.
   *
   * @param listener told what is done for Jobs
   * @param time by which pods have time to end and refused writes are tried again; its steady clock
   *     is that of awaited Workloads
   */
  public Jobs(
      ManagedKinds kinds,
      CoreInformers caches,
      KubernetesApi api,
      EventRecorder events,
      JobListener listener,
      Configuration configuration,
      TimeSource time) {
    this.priorities = Priorities.of(caches, api);
    this.finishesOrphans =
        configuration.featureGates().enabled(FeatureGate.FINISH_ORPHANED_WORKLOADS);
    this.retention = new Retention(configuration.objectRetention());
    this.stoppedPods =
        new StoppedPods(api, events, configuration.extensions().quotaRelease(), time);
    this.kinds = kinds;
    WorkloadsOfJobs ofJobs = new WorkloadsOfJobs(caches.workloads(), api, listener, time.steady());
    JobNews news = JobNews.of(events, listener, time);
    this.controllers =
        kinds.stores().stream()
            .map(
                jobs ->
                    new JobKindController<>(
                        jobs, kinds, ofJobs, priorities, news, stoppedPods, configuration))
            .toList();
    ServingObjects serving = new ServingObjects(api);
    this.groups =
        controllers.stream().flatMap(controller -> controller.groups(serving).stream()).findFirst();
  }

  /** Wakes the Workloads of Jobs that change. */
  public void watchedBy(Controller.Builder workloads) {
    kinds.stores().forEach(jobs -> jobs.watchedBy(workloads));
  }

  /**
   * Whether there is such an object, and it is a Job that is managed: of a kind that the core knows
   * and that creates that other Job, or one with a Workload of an external controller.
   */
  public boolean manages(String namespace, V1OwnerReference owner, ChildJob child) {
    return kinds.stores().stream().anyMatch(jobs -> jobs.manages(namespace, owner, child))
        || kinds.externals().manages(namespace, owner);
  }

  /** Whether objects of that kind can be managed by the core and create Jobs. */
  public boolean createsJobs(String apiVersion, String kind) {
    V1OwnerReference reference = new V1OwnerReference().apiVersion(apiVersion).kind(kind);
    return kinds.of(reference).filter(jobs -> jobs.kind().createsJobs()).isPresent();
  }

  /** The outcome of {@link #adopt}. */
  @API(status = API.Status.INTERNAL)
  public enum Adoption {
    /** There is no Job that needs a Workload. */
    NOT_NEEDED,
    /** The Job is still being stopped; its next change continues. */
    STOPPING,
    /** Its WorkloadPriorityClass doesn't exist. */
    NO_PRIORITY,
    /** It names a Workload that its user is to create. */
    PREBUILT_MISSING,
    /** It was changed meanwhile: it is to be tried again. */
    CHANGED,
    /** What pods it asks for isn't known yet, which is told if it stays so. */
    AWAITS_PODS,
    /** The API server refuses such a Workload; an event on the Job says so. */
    REFUSED,
    /** The Workload was created. */
    CREATED,
    /** It was created just now, and the cache doesn't have it yet. */
    AWAITED
  }

  /** Creates the Workload of a managed Job that has none; a Job that runs is stopped first. */
  public Adoption adopt(ObjectKey workload) {
    Adoption ofGroup = groups.map(pods -> pods.adopt(workload)).orElse(Adoption.NOT_NEEDED);
    if (ofGroup != Adoption.NOT_NEEDED) {
      return ofGroup;
    }
    for (JobKindController<?> controller : controllers) {
      Adoption adoption = controller.adopt(workload);
      if (adoption != Adoption.NOT_NEEDED) {
        return adoption;
      }
    }
    return Adoption.NOT_NEEDED;
  }

  /** The Job of this version of a Workload, on which questions are asked and changes made. */
  public WorkloadJob of(Workload workload) {
    Optional<WorkloadJob> group = groups.flatMap(pods -> pods.of(workload));
    if (group.isPresent()) {
      return group.get();
    }
    return controllers.stream()
        .flatMap(controller -> controller.of(workload).stream())
        .findFirst()
        .orElseGet(
            () ->
                new UnmanagedJob(
                    workload, retention, finishesOrphans, stoppedPods, this::podSelectors));
  }

  private List<String> podSelectors(String uid) {
    return kinds.stores().stream().map(jobs -> jobs.kind().podSelector(uid)).distinct().toList();
  }

  /** The priority that the Workload's class has now, if that is not what the Workload says. */
  public OptionalInt changedPriority(Workload workload) {
    OptionalInt current = priorities.current(workload);
    Integer known = workload.spec().priority();
    return current.isPresent() && known != null && known == current.getAsInt()
        ? OptionalInt.empty()
        : current;
  }

  /** A Workload without controller, with the Job that names it as its controller. */
  public Optional<Workload> claimed(Workload workload) {
    if (JobWorkload.orphaned(workload) && Phase.holdsQuota(workload)) {
      // Its quota may still be used by the pods of the Job that was deleted.
      return Optional.empty();
    }
    if (PodGroup.has(workload)) {
      return Optional.empty(); // All its pods own it, and none controls it.
    }
    return controllers.stream()
        .flatMap(controller -> controller.claimed(workload).stream())
        .findFirst();
  }

  /**
   * Stops Jobs that name a Workload that belongs to another Job, and pods of a group that have no
   * place in its Workload.
   */
  public Attempts stopOtherJobs(Workload workload) {
    Attempts attempts = new Attempts();
    controllers.forEach(controller -> controller.stopOtherJobs(workload, attempts));
    groups.ifPresent(pods -> pods.stopOthers(workload, attempts));
    return attempts;
  }

  /** The Workload is gone. */
  public void forget(ObjectKey workload) {
    stoppedPods.forgetAll(workload);
    controllers.forEach(controller -> controller.forget(workload));
  }
}
