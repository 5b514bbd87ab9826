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

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.job.Alignment;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.JobWorkload;
import io.github.kueue4j.core.job.WorkloadNames;
import io.github.kueue4j.core.lifecycle.FinishedOwner;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.DeleteOptions;
import io.github.kueue4j.runtime.EventRecorder;
import io.github.kueue4j.runtime.Informers;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Jobs of one kind beside their Workloads: which of them need one, and whether it still says
 * what they ask for. Called only by the one worker of the Workload, so that starts and stops of a
 * Job never overlap.
 */
final class JobSide<T extends KubernetesObject> {
  /** Jobs that come faster than their Workloads are made; the others are read once more. */
  private static final int ARRIVALS = 256;

  private static final Logger log = LoggerFactory.getLogger(JobSide.class);

  private final JobKind<T> kind;
  private final WorkloadNames names;
  private final JobIndex<T> index;
  private final FreshCache<T> jobs;
  private final Eligibility eligibility;
  private final KubernetesApi api;
  private final Priorities priorities;
  private final EventRecorder events;
  private final JobNews news;
  private final Configuration configuration;
  private final Ancestors ancestors;

  private final WholePods<T> wholePods;
  private final OwnedJobs<T> owned;
  private final DoubledWorkloads<T> doubled;
  private final JobRuns<T> runs;
  private final JobDemand<T> demand;

  JobSide(
      JobKind<T> kind,
      Informers informers,
      CoreInformers caches,
      KubernetesApi api,
      Priorities priorities,
      Ancestors ancestors,
      EventRecorder events,
      JobNews news,
      Configuration configuration) {
    this.kind = kind;
    this.names =
        new WorkloadNames(configuration.featureGates().enabled(FeatureGate.SHORT_WORKLOAD_NAMES));
    this.wholePods = new WholePods<>(kind, ARRIVALS);
    this.eligibility = new Eligibility(caches, configuration);
    this.index =
        new JobIndex<>(kind, names, informers, wholePods::trimmed, caches, eligibility, ancestors);
    this.jobs =
        FreshCache.over(
            index.informer(), kind.type(), api, (read, known) -> wholePods.trimmed(read));
    this.priorities = priorities;
    this.ancestors = ancestors;
    this.demand = new JobDemand<>(kind, priorities, events, configuration);
    this.owned = new OwnedJobs<>(kind, names, jobs);
    this.doubled = new DoubledWorkloads<>(kind, names, owned, caches, api);
    this.runs = new JobRuns<>(kind, jobs, owned, demand, api);
    this.api = api;
    this.events = events;
    this.news = news;
    this.configuration = configuration;
  }

  /** Wakes the Workloads of Jobs that change. */
  void watchedBy(Controller.Builder controller) {
    index.watchedBy(controller);
  }

  /** Whether a Job of this kind controls the Workload. */
  boolean owns(Workload workload) {
    return owned.owner(workload).isPresent();
  }

  /** How the Job ended. */
  Optional<FinishedOwner> finished(Workload workload) {
    return owned.cached(workload).flatMap(kind::finished);
  }

  /** Whether all pods of the Job are ready; empty if the Job isn't known. */
  Optional<Boolean> podsReady(Workload workload) {
    return owned.cached(workload).map(kind::podsReady);
  }

  /** See {@link Jobs#adopt}; several Jobs can name the same prebuilt Workload. */
  Jobs.Adoption adopt(ObjectKey workloadKey) {
    Jobs.Adoption outcome = Jobs.Adoption.NOT_NEEDED;
    for (T found : index.jobsOf(workloadKey)) {
      Jobs.Adoption adoption =
          jobs.get(ObjectKey.of(found))
              .filter(job -> !standsElsewhere(job, workloadKey))
              .map(this::adopt)
              .orElse(Jobs.Adoption.NOT_NEEDED);
      outcome = adoption == Jobs.Adoption.NOT_NEEDED ? outcome : adoption;
    }
    return outcome;
  }

  /** Whether a Workload stands for the Job that bears another one of its names. */
  private boolean standsElsewhere(T job, ObjectKey workload) {
    return index.workloadsFor(job).stream().anyMatch(key -> !key.equals(workload));
  }

  private Jobs.Adoption adopt(T job) {
    if (Health.terminating(job) || kind.finished(job).isPresent()) {
      return Jobs.Adoption.NOT_NEEDED;
    }
    List<PodSet> podSets = demand.unmarked(job);
    AdoptionNeed need =
        AdoptionNeed.of(
            ancestors.above(job),
            eligibility.of(job),
            kind.suspended(job),
            kind.stopped(job) && kind.nextStopStep(job, podSets).isEmpty());
    return switch (need) {
      case NOTHING -> Jobs.Adoption.NOT_NEEDED;
      case SUSPENSION -> {
        if (ancestors.suspends(job)) {
          runs.stop(job, podSets);
          if (!kind.stopBegun(job)) {
            events.normal(job, "Suspended", "Suspended", "Kueue managed child job suspended");
          }
        }
        yield Jobs.Adoption.NOT_NEEDED;
      }
      case STOP -> runs.stop(job, podSets) == Owner.STOPPED ? create(job) : Jobs.Adoption.STOPPING;
      case WORKLOAD -> create(job);
    };
  }

  /** Makes a Workload for a Job that is at rest. */
  private Jobs.Adoption create(T job) {
    if (JobWorkload.prebuilt(job).isPresent()) {
      return Jobs.Adoption.PREBUILT_MISSING;
    }
    if (doubled.existsBeside(job, names.of(kind.type(), job))) {
      // Our cache was behind; the informer will show it.
      return Jobs.Adoption.CREATED;
    }
    Optional<List<PodSet>> whole = whole(job);
    if (whole.isEmpty()) {
      return Jobs.Adoption.CHANGED;
    }
    return switch (priorities.of(kind, job)) {
      case Priorities.Found.Missing missing -> {
        demand.tellMissing(job, missing);
        yield Jobs.Adoption.NO_PRIORITY;
      }
      case Priorities.Found.Known known -> {
        yield create(
            job,
            JobWorkload.create(
                names.of(kind.type(), job),
                kind.type(),
                job,
                demand.unmarked(whole.get()),
                known.priority(),
                configuration.integrations().copied()));
      }
    };
  }

  /** The pods that this version of a Job asks for, whole; empty if there is a newer one. */
  private Optional<List<PodSet>> whole(T job) {
    return wholePods
        .of(job)
        .or(() -> jobs.live(ObjectKey.of(job)).flatMap(read -> wholePods.of(job)));
  }

  private Jobs.Adoption create(T job, Workload workload) {
    try {
      demand.written(job, workload.spec().podSets(), api.create(KueueTypes.WORKLOAD, workload));
      news.workloadCreated(kind.type(), job);
    } catch (KubernetesApiException.AlreadyExists e) {
      // Our cache was behind; the informer will show it.
      log.atDebug().addKeyValue("workload", ObjectKey.of(workload)).log("Workload exists already");
    } catch (KubernetesApiException.Invalid e) {
      demand.tellRefused(job, ObjectKey.of(workload), e);
      return Jobs.Adoption.REFUSED;
    }
    return Jobs.Adoption.CREATED;
  }

  /** Says on the Job that its Workload can't become what the Job asks for. */
  void tellRefused(Workload workload, KubernetesApiException.Invalid refused) {
    owned
        .cached(workload)
        .ifPresent(job -> demand.tellRefused(job, ObjectKey.of(workload), refused));
  }

  /** The Workload with the Job that names it as its controller, if it has none. */
  Optional<Workload> claimed(Workload workload) {
    boolean controlled =
        Objects.requireNonNullElse(
                workload.metadata().getOwnerReferences(), List.<V1OwnerReference>of())
            .stream()
            .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    return controlled
        ? Optional.empty()
        : named(workload)
            .filter(job -> JobWorkload.prebuilt(job).isPresent() && managed(job))
            .min(Comparator.comparing(Uids::of))
            .map(job -> JobWorkload.ownedBy(kind.type(), job, workload));
  }

  /** Stops Jobs that name a Workload that isn't theirs. */
  void restrain(Workload workload) {
    String owner = owned.owner(workload).map(V1OwnerReference::getUid).orElse("");
    named(workload)
        .filter(job -> !Uids.of(job).equals(owner) && !kind.suspended(job) && managed(job))
        .forEach(job -> runs.stop(job, demand.unmarked(job)));
  }

  private Stream<T> named(Workload workload) {
    return index.jobsOf(ObjectKey.of(workload)).stream()
        .flatMap(found -> jobs.get(ObjectKey.of(found)).stream())
        .filter(job -> !Health.terminating(job) && kind.finished(job).isEmpty());
  }

  private boolean managed(T job) {
    return eligibility.of(job) && ancestors.above(job) == Ancestors.Above.NOBODY;
  }

  /** Whether the Workload, which isn't finished, still says what the Job asks for. */
  Alignment alignment(Workload workload, Phase phase) {
    Optional<T> left = owned.owned(workload).filter(found -> !owned.standsFor(workload, found));
    if (left.isPresent()) {
      return leaves(left.get(), workload);
    }
    T job = owned.cached(workload).filter(found -> !Health.terminating(found)).orElse(null);
    if (job == null) {
      return new Alignment.InLine();
    }
    if (doubled.yields(job, workload)) {
      return new Alignment.Replace();
    }
    if (phase != Phase.ADMITTED && runs.runsOrDid(job, workload)) {
      return new Alignment.InLine();
    }
    Alignment alignment = demand.alignment(job, demand.podSets(job), workload, phase);
    if (!(alignment instanceof Alignment.Recheck)) {
      return alignment;
    }
    return whole(job)
        .flatMap(
            podSets ->
                whole(workload)
                    .map(read -> demand.alignment(job, demand.permitted(podSets), read, phase)))
        .orElse(alignment);
  }

  /** This version of a Workload, with all that the cache has trimmed; empty if there is a newer. */
  private Optional<Workload> whole(Workload workload) {
    return api.get(KueueTypes.WORKLOAD, ObjectKey.of(workload))
        .filter(
            read ->
                Objects.equals(
                    read.metadata().getResourceVersion(),
                    workload.metadata().getResourceVersion()));
  }

  /** The Workload was written as {@link #alignment} asked for. */
  void aligned(Workload asked, Workload written) {
    owned.cached(written).ifPresent(job -> demand.written(job, asked.spec().podSets(), written));
  }

  void forget(ObjectKey workload) {
    demand.forget(workload);
  }

  /** Says on the Job what happened to its Workload. */
  void tell(Workload workload, String reason, String note) {
    owned.cached(workload).ifPresent(job -> events.normal(job, reason, reason, note));
  }

  /** Deletes the Job with all that belongs to it. */
  void delete(Workload workload) {
    owned
        .cached(workload)
        .ifPresent(
            job ->
                api.delete(
                    kind.type(),
                    ObjectKey.of(job),
                    DeleteOptions.background().withUid(Uids.of(job))));
  }

  /** The Workload with the pods that will never run again, if it doesn't say so. */
  Optional<Workload> reclaimed(Workload workload) {
    return owned.cached(workload).flatMap(job -> demand.reclaimed(job, workload));
  }

  /** Stops the Job and says whether anything of it can still run. */
  Owner stop(Workload workload) {
    Optional<T> job = owned.cached(workload);
    if (job.isEmpty()) {
      job = owned.live(workload);
    }
    return job.map(found -> runs.stop(found, workload.spec().podSets())).orElse(Owner.STOPPED);
  }

  /** See {@link Jobs#runsOnAnother}. */
  boolean runsOnAnother(Workload workload) {
    return owned.cached(workload).filter(job -> doubled.covers(job, workload)).isPresent();
  }

  boolean goes(Workload workload) {
    return owned.cached(workload).filter(Health::terminating).isPresent();
  }

  /** Whether the Job, as far as the cache knows, is not as it has to be while it waits. */
  boolean strays(Workload workload) {
    return owned
        .cached(workload)
        .filter(job -> kind.finished(job).isEmpty() && runs.runsOrDid(job, workload))
        .isPresent();
  }

  /** Whether there is a Job that has neither ended nor is about to go. */
  boolean unfinished(Workload workload) {
    return owned
        .cached(workload)
        .filter(job -> kind.finished(job).isEmpty() && !Health.terminating(job))
        .isPresent();
  }

  /** Whether the Job runs, as far as the cache knows. */
  boolean running(Workload workload) {
    return owned
        .cached(workload)
        .filter(job -> !kind.suspended(job) && kind.finished(job).isEmpty())
        .isPresent();
  }

  /** See {@link JobRuns#start}. */
  Optional<FinishedOwner> start(
      Workload workload, Admission admission, Function<String, @Nullable ResourceFlavor> flavors) {
    return runs.start(workload, admission, flavors);
  }

  void tellStopped(Workload workload, String why) {
    owned.cached(workload).ifPresent(job -> events.normal(job, "Stopped", "Stopped", why));
  }

  /** Whether there is such an object of this kind, and it is managed. */
  boolean manages(String apiVersion, String kindName, ObjectKey key) {
    return kind.type().apiVersion().equals(apiVersion)
        && kind.type().kind().equals(kindName)
        && jobs.get(key).filter(eligibility::of).isPresent();
  }

  /** Whether an owner reference points to this kind. */
  boolean isKindOf(V1OwnerReference owner) {
    return OwnedJobs.isKindOf(kind.type(), owner);
  }

  /** The Job that an owner reference points to; read from the API if the cache doesn't have it. */
  Optional<T> find(String namespace, V1OwnerReference owner) {
    ObjectKey key = new ObjectKey(namespace, owner.getName());
    return jobs.get(key)
        .or(() -> jobs.live(key))
        .filter(job -> Uids.of(job).equals(owner.getUid()));
  }

  /** What a Job of this kind means for those below it; empty if it isn't managed. */
  Optional<Ancestors.Above> asAncestor(KubernetesObject found) {
    T job = kind.type().type().cast(found);
    return eligibility.of(job)
        ? Optional.of(kind.suspended(job) ? Ancestors.Above.SUSPENDED : Ancestors.Above.RUNNING)
        : Optional.empty();
  }

  /** A Job runs on another Workload by now; what it leaves must not hold quota, too. */
  private Alignment leaves(T job, Workload workload) {
    return names.isMade(kind.type(), job, workload)
        ? new Alignment.Replace()
        : new Alignment.OutOfSync(
            new FinishedOwner("OutOfSync", "The workload's owner runs on another workload"));
  }
}
