// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Job of a managed kind that controls a Workload. */
final class ManagedJob<T extends KubernetesObject> implements WorkloadJob {
  private final JobKindParts<T> parts;
  private final Workload workload;

  ManagedJob(JobKindParts<T> parts, Workload workload) {
    this.parts = parts;
    this.workload = workload;
  }

  /** The Job that runs on this Workload, according to the cache. */
  private Optional<T> job() {
    return parts.jobs().cached(workload);
  }

  private JobKind<T> kind() {
    return parts.jobs().kind();
  }

  private boolean ended(T job) {
    return kind().finished(job).isPresent();
  }

  @Override
  public boolean managed() {
    return true;
  }

  @Override
  public Optional<FinishedOwner> finished() {
    return job()
        .flatMap(kind()::finished)
        .filter(ended -> !kind().leavesPods() || !podsAreLeft())
        .or(this::endedByDeletion);
  }

  /** The end of a Job that is being deleted, and would never run on quota that it got anew. */
  private Optional<FinishedOwner> endedByDeletion() {
    return job().filter(this::endsByDeletion).isPresent() && !podsRun()
        ? Optional.of(new FinishedOwner("Failed", "It was deleted"))
        : Optional.empty();
  }

  /** Whether pods of the Job, which has ended, run on. */
  private boolean podsAreLeft() {
    return Phase.holdsQuota(workload) && podsAreFound();
  }

  private boolean podsAreFound() {
    Optional<V1Pod> itself = job().flatMap(kind()::pod);
    if (itself.isPresent()) {
      return parts.stoppedPods().anyRuns(workload, List.of(itself.get()));
    }
    return parts
        .jobs()
        .owner(workload)
        .filter(
            owner -> parts.stoppedPods().run(workload, List.of(kind().podSelector(owner.getUid()))))
        .isPresent();
  }

  private boolean endsByDeletion(T job) {
    return kind().pod(job).isPresent() && Health.terminating(job);
  }

  @Override
  public boolean running() {
    return job().filter(job -> !kind().suspended(job) && !ended(job)).isPresent();
  }

  @Override
  public boolean runsOnAnotherWorkload() {
    return job().filter(job -> parts.duplicates().covers(job, workload)).isPresent();
  }

  @Override
  public boolean needsStop() {
    return job()
        .filter(job -> !ended(job) && !Health.terminating(job))
        .filter(job -> parts.runs().runsOrDid(job, workload))
        .isPresent();
  }

  @Override
  public Optional<Boolean> podsReady() {
    return job().map(job -> ended(job) || kind().podsReady(job));
  }

  @Override
  public Owner atRest() {
    return job().filter(job -> parts.runs().atRest(job, workload)).isPresent() && !podsRun()
        ? Owner.STOPPED
        : Owner.UNKNOWN;
  }

  @Override
  public Owner stop() {
    Owner stopped =
        job()
            .or(() -> parts.jobs().live(workload))
            .filter(found -> !Health.terminating(found))
            .map(this::stop)
            .orElse(Owner.STOPPED);
    if (stopped != Owner.STOPPED) {
      // Its next change continues.
      parts.stoppedPods().forget(ObjectKey.of(workload));
      return stopped;
    }
    return podsRun() ? Owner.RUNNING : stopped;
  }

  private Owner stop(T job) {
    List<PodSet> podSets = workload.spec().podSets();
    try {
      return workload.conditions().admitted()
          ? parts.runs().stopStarted(job, podSets)
          : parts.runs().stop(job, podSets);
    } catch (KubernetesApiException e) {
      if (!Refusal.is(e) || workload.conditions().finished()) {
        throw e;
      }
      return Owner.RUNNING; // The Workload says so if it stays so, and it is tried again.
    }
  }

  /**
   * Whether pods of the stopped Job run on. Its status only wakes: it counts no pod before the Job
   * controller has written what it created, and on servers before 1.31 none that it has just told
   * to end.
   */
  private boolean podsRun() {
    boolean none =
        !Phase.holdsQuota(workload)
            || !workload.conditions().admitted()
            || job().filter(this::ended).isPresent()
            // Its pods run on the quota of that one.
            || moved().isPresent();
    if (none) {
      parts.stoppedPods().forget(ObjectKey.of(workload));
      return false;
    }
    return podsAreFound();
  }

  /** Whether another client than the core suspended a Job that had been started. */
  private boolean ranAndWasSuspended(T job) {
    Integer terminating = kind().progress(job).terminating();
    return (kind().suspended(job) || kind().stopBegun(job))
        && (parts.runs().runsOrDid(job, workload)
            || (terminating != null && terminating > 0)
            || parts.stoppedPods().nextLook(ObjectKey.of(workload)).isPresent());
  }

  /** The Job that controls the Workload, if it runs on another one now. */
  private Optional<T> moved() {
    return parts.jobs().owned(workload).filter(found -> !parts.jobs().runsOn(workload, found));
  }

  @Override
  public Optional<Instant> nextLookAtPods() {
    return Stream.of(
            parts.stoppedPods().nextLook(ObjectKey.of(workload)),
            job().flatMap(parts.news()::nextLook))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  @Override
  public Optional<Workload> withItsNews(Phase phase) {
    Optional<T> job = job();
    JobNews news = parts.news();
    if (phase == Phase.ADMITTED) {
      Optional<Workload> dropped = job.flatMap(found -> news.dropped().told(workload, found));
      if (dropped.isPresent()) {
        return dropped;
      }
      job.filter(found -> !kind().suspended(found) && !kind().stopBegun(found))
          .ifPresent(news.stops()::forget);
    } else {
      job.ifPresent(news.dropped()::forget);
      if (workload.conditions().isTrue(WorkloadConditions.SUSPENSION_UNHEEDED)
          && !Phase.holdsQuota(workload)) {
        // Its user, or another controller, may have stopped it.
        job.filter(found -> parts.runs().rests(found, workload)).ifPresent(news.stops()::forget);
      }
    }
    if (phase != Phase.EVICTING && phase != Phase.DEACTIVATED) {
      String waitsFor = Phase.holdsQuota(workload) ? "started" : "queued";
      job.filter(kind()::suspended)
          .ifPresent(
              found ->
                  news.unknownPods()
                      .tell(
                          found,
                          // The controller isn't late: its object has what the start has added.
                          news.refused().nextTry(found).isPresent()
                              ? Optional.empty()
                              : parts.demand().unknownPods(found),
                          waitsFor));
    }
    return news.stops().told(workload, job);
  }

  @Override
  public Optional<FinishedOwner> start(
      Admission admission,
      Function<String, @Nullable ResourceFlavor> flavors,
      Predicate<String> enforced) {
    if (job().filter(job -> ended(job) || endsByDeletion(job)).isPresent()) {
      return Optional.empty(); // Its quota is kept for pods that it has left.
    }
    if (job().filter(this::ranAndWasSuspended).isEmpty()) {
      parts.stoppedPods().forget(ObjectKey.of(workload));
    } else if (podsRun()) {
      // A user who suspends it again and again would have pods of many starts on one quota.
      return Optional.empty();
    }
    return parts.runs().start(JobRuns.withChecks(workload, enforced), admission, flavors);
  }

  @Override
  public Alignment alignment(Phase phase) {
    Optional<T> moved = moved();
    if (moved.isPresent()) {
      return afterMove(moved.get());
    }
    T job = job().filter(found -> !Health.terminating(found)).orElse(null);
    if (job == null) {
      return new Alignment.InSync();
    }
    if (parts.duplicates().yields(job, workload)) {
      return new Alignment.Replace();
    }
    if (phase != Phase.EVICTING && !ended(job) && parts.demand().refuses(job)) {
      return Alignment.mismatch(job);
    }
    Optional<String> unknown = parts.demand().unknownPods(job);
    if (unknown.isPresent() && !Phase.holdsQuota(workload)) {
      return Alignment.awaitsPods(job, workload, unknown.get());
    }
    if (unknown.isPresent() || (phase != Phase.ADMITTED && parts.runs().runsOrDid(job, workload))) {
      return new Alignment.InSync();
    }
    JobDemand<T> demand = parts.demand();
    Alignment alignment = demand.alignment(job, demand.podSets(job), workload, phase);
    if (!(alignment instanceof Alignment.Recheck)) {
      return alignment;
    }
    return parts
        .jobs()
        .whole(job)
        .flatMap(
            podSets ->
                wholeWorkload()
                    .map(read -> demand.alignment(job, demand.permitted(podSets), read, phase)))
        .orElse(alignment);
  }

  /** The Job runs on another Workload now; this one must not hold quota for it, too. */
  private Alignment afterMove(T job) {
    return parts.jobs().isMadeFrom(job, workload)
        ? new Alignment.Replace()
        : new Alignment.OutOfSync(
            new FinishedOwner("OutOfSync", "The workload's owner runs on another workload"));
  }

  /** This version of the Workload without the cache's trimming; empty if there is a newer one. */
  private Optional<Workload> wholeWorkload() {
    return parts
        .workloads()
        .live(ObjectKey.of(workload))
        .filter(
            read ->
                Objects.equals(
                    read.metadata().getResourceVersion(),
                    workload.metadata().getResourceVersion()));
  }

  @Override
  public void recordClaim() {
    job().ifPresent(parts.demand()::tellUnsupported);
  }

  @Override
  public void recordChange(Alignment.Change change) {
    job()
        .ifPresent(
            job -> {
              parts.demand().written(job, change.after().spec().podSets(), workload);
              parts.demand().tellUnsupported(job);
            });
    tell(
        "UpdatedWorkload",
        "Updated not matching Workload for suspended job: "
            + ObjectKey.of(workload)
            + " ("
            + String.join(", ", change.what())
            + ")");
  }

  @Override
  public void recordRefusal(KubernetesApiException.Invalid refused) {
    job().ifPresent(job -> parts.demand().tellRefused(job, ObjectKey.of(workload), refused));
  }

  @Override
  public void recordReplacement() {
    tell("DeletedWorkload", "Deleted not matching Workload: " + ObjectKey.of(workload));
  }

  @Override
  public void recordStop(String why) {
    tell("Stopped", why);
  }

  private void tell(String reason, String note) {
    job().ifPresent(job -> parts.news().tell(job, reason, note));
  }

  @Override
  public Optional<Workload> reclaimed() {
    return parts.demand().reclaimsPods()
        ? job().flatMap(job -> parts.demand().reclaimed(job, workload))
        : Optional.empty();
  }

  @Override
  public Optional<Instant> finishedKeptUntil() {
    // Without its Workload, a Job that could not start would be queued again, and fail again, for
    // ever.
    boolean unfinished = job().filter(job -> !ended(job) && !Health.terminating(job)).isPresent();
    return unfinished ? Optional.empty() : parts.retention().finishedUntil(workload);
  }

  @Override
  public void release() {
    job()
        .filter(job -> ended(job) || Health.terminating(job))
        .ifPresent(job -> parts.runs().release(job));
  }

  @Override
  public Optional<Instant> deactivatedKeptUntil() {
    return parts.retention().deactivatedUntil(workload);
  }

  @Override
  public void delete() {
    tell("Deleted", "Deleted job: deactivation retention period expired");
    job().ifPresent(parts.jobs()::delete);
  }
}
