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
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.CoreInformers;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.FeatureGate;
import io.github.kueue4j.core.job.Alignment;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.Keys;
import io.github.kueue4j.core.lifecycle.FinishedOwner;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.runtime.Controller;
import io.github.kueue4j.runtime.EventRecorder;
import io.github.kueue4j.runtime.Informers;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Jobs of all kinds that are managed: a question about a Workload goes to the kind of Job that
 * controls it. Called only by the one worker of the Workload, so that starts and stops of a Job
 * never overlap.
 */
@API(status = API.Status.INTERNAL)
public final class Jobs {
  /** Reason of Finished: the Job can't run with what flavors and checks ask for. */
  public static final String FAILED_TO_START = "FailedToStart";

  private final List<? extends JobSide<?>> sides;
  private final Priorities priorities;
  private final Configuration configuration;
  private final Retention retention;
  private final ExternalOwners externals;

  /**
   * Jobs of these kinds; registers an informer for each.
   *
   * @param workloads by which Jobs follow owners that somebody else looks after
   * @param news who wants to know what is done for Jobs
   */
  public Jobs(
      List<? extends JobKind<?>> kinds,
      Informers informers,
      CoreInformers caches,
      FreshCache<Workload> workloads,
      KubernetesApi api,
      EventRecorder events,
      JobNews news,
      Configuration configuration) {
    this.priorities = new Priorities(caches, api);
    this.configuration = configuration;
    this.retention = new Retention(configuration.objectRetention());
    this.externals = new ExternalOwners(caches, workloads, configuration);
    Ancestors ancestors = new Ancestors(this::side, externals, events);
    this.sides =
        kinds.stream()
            .map(
                kind ->
                    new JobSide<>(
                        kind,
                        informers,
                        caches,
                        api,
                        priorities,
                        ancestors,
                        events,
                        news,
                        configuration))
            .toList();
  }

  /** Wakes the Workloads of Jobs that change. */
  public void watchedBy(Controller.Builder controller) {
    sides.forEach(side -> side.watchedBy(controller));
  }

  /** Whether there is such an object, and it is a Job of a kind that is managed. */
  public boolean manages(String apiVersion, String kind, ObjectKey key) {
    return sides.stream().anyMatch(side -> side.manages(apiVersion, kind, key))
        || externals.manages(apiVersion, kind, key);
  }

  /** Whether objects of that kind are Jobs that can be managed. */
  public boolean manages(String apiVersion, String kind) {
    V1OwnerReference reference = new V1OwnerReference().apiVersion(apiVersion).kind(kind);
    return side(reference).isPresent() || externals.isKind(apiVersion, kind);
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
    /** It names a Workload that somebody else is to create. */
    PREBUILT_MISSING,
    /** It is being changed: it is to be looked at again. */
    CHANGED,
    /** The API server doesn't take such a Workload, which the Job has been told. */
    REFUSED,
    /** The Workload was created. */
    CREATED
  }

  /** Creates the Workload of a managed Job that has none; a Job that runs is stopped first. */
  public Adoption adopt(ObjectKey workload) {
    for (JobSide<?> side : sides) {
      Adoption adoption = side.adopt(workload);
      if (adoption != Adoption.NOT_NEEDED) {
        return adoption;
      }
    }
    return Adoption.NOT_NEEDED;
  }

  /** Whether a Job of a kind that is managed controls the Workload. */
  public boolean owns(Workload workload) {
    return side(workload).isPresent();
  }

  /** How the Job ended; a Workload that was orphaned has none to wait for any more. */
  public Optional<FinishedOwner> finished(Workload workload) {
    boolean orphan =
        configuration.featureGates().enabled(FeatureGate.FINISH_ORPHANED_WORKLOADS)
            && Objects.requireNonNullElse(workload.metadata().getOwnerReferences(), List.of())
                .isEmpty()
            && Objects.requireNonNullElse(workload.metadata().getLabels(), Map.<String, String>of())
                .containsKey(Keys.JOB_UID);
    return orphan
        ? Optional.of(new FinishedOwner("OwnerNotFound", "The workload's owner no longer exists"))
        : side(workload).flatMap(side -> side.finished(workload));
  }

  /** Whether the Job runs, as far as the cache knows. */
  public boolean running(Workload workload) {
    return side(workload).filter(side -> side.running(workload)).isPresent();
  }

  /**
   * Whether the Job is being deleted. Its pods go with it, and it may be waiting for its Workload
   * to go first; its status can't be relied on any more.
   */
  public boolean goes(Workload workload) {
    return side(workload).filter(side -> side.goes(workload)).isPresent();
  }

  /** Whether the Job has the quota of another Workload, so that it needn't stop for this one. */
  public boolean runsOnAnother(Workload workload) {
    return side(workload).filter(side -> side.runsOnAnother(workload)).isPresent();
  }

  /** Whether the Job runs, or still looks as if it did: not as it has to be while it waits. */
  public boolean strays(Workload workload) {
    return side(workload).filter(side -> side.strays(workload)).isPresent();
  }

  /** Whether all pods of the Job are ready or have succeeded; empty if the Job isn't known. */
  public Optional<Boolean> podsReady(Workload workload) {
    return side(workload).flatMap(side -> side.podsReady(workload));
  }

  /** Stops the Job and says whether anything of it can still run. */
  public Owner stop(Workload workload) {
    return side(workload).map(side -> side.stop(workload)).orElse(Owner.UNKNOWN);
  }

  /**
   * Starts the Job of an admitted Workload unless it runs.
   *
   * @return why it can never start; empty if it runs
   */
  public Optional<FinishedOwner> start(
      Workload workload, Admission admission, Function<String, @Nullable ResourceFlavor> flavors) {
    return side(workload).flatMap(side -> side.start(workload, admission, flavors));
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
    return sides.stream().flatMap(side -> side.claimed(workload).stream()).findFirst();
  }

  /** Stops Jobs that name a Workload that belongs to another one. */
  public void restrain(Workload workload) {
    sides.forEach(side -> side.restrain(workload));
  }

  /** Whether a Workload, which isn't finished, still says what its Job asks for. */
  public Alignment alignment(Workload workload, Phase phase) {
    return side(workload)
        .map(side -> side.alignment(workload, phase))
        .orElseGet(Alignment.InLine::new);
  }

  /** The Workload was changed as {@link #alignment} asked for. */
  public void aligned(Alignment.Change change, Workload written) {
    side(written)
        .ifPresent(
            side -> {
              side.aligned(change.after(), written);
              side.tell(
                  written,
                  "UpdatedWorkload",
                  "Updated not matching Workload for suspended job: "
                      + ObjectKey.of(written)
                      + " ("
                      + String.join(", ", change.what())
                      + ")");
            });
  }

  /** The API server doesn't take the Workload as {@link #alignment} asks for. */
  public void tellRefused(Workload workload, KubernetesApiException.Invalid refused) {
    side(workload).ifPresent(side -> side.tellRefused(workload, refused));
  }

  /** The Workload was deleted because it doesn't match its Job. */
  public void replaced(Workload deleted) {
    side(deleted)
        .ifPresent(
            side ->
                side.tell(
                    deleted,
                    "DeletedWorkload",
                    "Deleted not matching Workload: " + ObjectKey.of(deleted)));
  }

  /** The Workload is gone. */
  public void forget(ObjectKey workload) {
    sides.forEach(side -> side.forget(workload));
  }

  /**
   * The Workload with the pods that will never run again, if its status doesn't say so (KEP-78).
   */
  public Optional<Workload> reclaimed(Workload workload) {
    return configuration.featureGates().enabled(FeatureGate.RECLAIMABLE_PODS)
        ? side(workload).flatMap(side -> side.reclaimed(workload))
        : Optional.empty();
  }

  /** When a finished Workload may be deleted; empty if never, or not before its Job has ended. */
  public Optional<Instant> finishedKeptUntil(Workload workload) {
    // Without it, a Job that could not start would be queued again, and fail again, for ever.
    return side(workload).filter(side -> side.unfinished(workload)).isPresent()
        ? Optional.empty()
        : retention.finishedUntil(workload);
  }

  /** When the Job of a Workload that was deactivated may be deleted; empty if never. */
  public Optional<Instant> deactivatedKeptUntil(Workload workload) {
    return owns(workload) ? retention.deactivatedUntil(workload) : Optional.empty();
  }

  /** Deletes the Job of a Workload that was kept for long enough. */
  public void delete(Workload workload) {
    side(workload)
        .ifPresent(
            side -> {
              side.tell(workload, "Deleted", "Deleted job: deactivation retention period expired");
              side.delete(workload);
            });
  }

  /** Tells people why the Job was stopped. */
  public void tellStopped(Workload workload, String why) {
    side(workload).ifPresent(side -> side.tellStopped(workload, why));
  }

  private Optional<? extends JobSide<?>> side(V1OwnerReference owner) {
    return sides.stream().filter(side -> side.isKindOf(owner)).findFirst();
  }

  private Optional<? extends JobSide<?>> side(Workload workload) {
    return sides.stream().filter(side -> side.owns(workload)).findFirst();
  }
}
