// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.Equivalence;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.JobProgress;
import io.github.kueue4j.jobs.PodSetAdditions;
import io.github.kueue4j.jobs.Unsupported;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.common.KubernetesObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the Jobs of one kind by guarded writes. Each write starts from the result of the
 * one before; after a conflict the Job is read from the API server.
 */
final class JobRuns<T extends KubernetesObject> {
  /** The most rounds of a start or stop: one write or one live read each. */
  private static final int ROUNDS = 12;

  private final JobKind<T> kind;
  private final JobStore<T> jobs;
  private final JobDemand<T> demand;
  private final JobNews news;

  JobRuns(JobStore<T> jobs, JobDemand<T> demand, JobNews news) {
    this.kind = jobs.kind();
    this.jobs = jobs;
    this.demand = demand;
    this.news = news;
  }

  /** The Workload with the answers of those checks only that add to its pods. */
  static Workload withChecks(Workload workload, Predicate<String> enforced) {
    return workload.withStatus(
        workload
            .status()
            .withAdmissionChecks(
                workload.status().admissionChecks().stream()
                    .filter(entry -> enforced.test(entry.name()))
                    .toList()));
  }

  /**
   * Whether nothing of a Job runs or did; the API server is asked only if the cache says so. Where
   * it refuses the answer, that isn't known, and the stop that follows tells why.
   */
  boolean atRest(T cached, Workload workload) {
    try {
      return rests(cached, workload)
          && jobs.reread(cached).filter(read -> rests(read, workload)).isPresent();
    } catch (KubernetesApiException.Forbidden e) {
      return false;
    }
  }

  /** Whether nothing of it runs, and it bears no mark of a start. */
  boolean rests(T job, Workload workload) {
    return kind.stopped(job) && !runsOrDid(job, workload);
  }

  /**
   * Stops a Job, one write after the other, and says whether anything of it can still run.
   *
   * @param podSets what it was before its start
   * @throws KubernetesApiException if the API server refuses that, which is recorded
   */
  Owner stop(T first, List<PodSet> podSets) {
    return stop(first, job -> kind.nextStopStep(job, podSets));
  }

  /**
   * As {@link #stop}, of a Job that may have been started on this Workload without saying so: where
   * the API server drops the marks of a start, or another core started it.
   */
  Owner stopStarted(T first, List<PodSet> podSets) {
    return stop(first, job -> kind.nextUndoStep(job, podSets));
  }

  private Owner stop(T first, Function<T, Optional<JobKind.StopStep<T>>> next) {
    Owner stopped;
    try {
      stopped = stopBy(first, next);
    } catch (KubernetesApiException e) {
      if (Refusal.is(e)) {
        news.stops().refused(kind, first, e);
      }
      throw e;
    }
    if (stopped == Owner.STOPPED) {
      news.stops().forget(first);
    } else {
      news.stops().accepted(first);
    }
    return stopped;
  }

  private Owner stopBy(T first, Function<T, Optional<JobKind.StopStep<T>>> next) {
    T job = first;
    boolean live = false;
    for (int round = 0; round < ROUNDS; round++) {
      if (kind.finished(job).isPresent()) {
        return Owner.STOPPED;
      }
      Optional<JobKind.StopStep<T>> step = next.apply(job);
      if (step.isPresent() && !step.get().possible()) {
        tellIfUnheeded(job);
        return Owner.RUNNING;
      } else if (step.isPresent()) {
        try {
          Optional<T> written = write(job, step.get());
          if (written.isEmpty()) {
            return Owner.RUNNING; // Its pods have time to end.
          }
          job = written.get();
          boolean dropped = kind.suspended(step.get().after()) && !kind.suspended(job);
          if (dropped && step.get().write() == JobKind.StopWrite.OBJECT) {
            news.stops().dropped(kind, job);
            return Owner.RUNNING;
          }
          // An answer tells nothing new of pods that are in another object.
          live = kind.podsIn().isEmpty();
          continue;
        } catch (KubernetesApiException.Conflict | KubernetesApiException.NotFound e) {
          live = false; // Changed or deleted meanwhile, unless a proxy says so.
        }
      } else if (!kind.stopped(job)) {
        tellIfUnheeded(job);
        return Owner.RUNNING;
      } else if (live) {
        return Owner.STOPPED;
      }
      // A refusal, or the cache says that it has stopped: only the API server knows.
      Optional<T> read = jobs.reread(first);
      if (read.isEmpty()) {
        return Owner.STOPPED;
      }
      job = read.get();
      live = true;
    }
    return Owner.RUNNING;
  }

  private void tellIfUnheeded(T job) {
    if (!allEnd(job)) {
      news.stops().runs(kind, job);
    }
  }

  /** Whether it was heeded: what is left is in its grace period. */
  private boolean allEnd(T job) {
    JobProgress progress = kind.progress(job);
    Integer terminating = progress.terminating();
    return Health.terminating(job)
        || (terminating != null && terminating > 0 && progress.active() == 0);
  }

  /** Writes a step of a stop; empty if that was the deletion. */
  private Optional<T> write(T job, JobKind.StopStep<T> step) {
    return switch (step.write()) {
      case OBJECT -> Optional.of(jobs.write(job, step.after()));
      case STATUS -> Optional.of(jobs.writeStatus(job, step.after()));
      case DELETION -> {
        jobs.delete(job);
        yield Optional.empty();
      }
    };
  }

  /**
   * Takes off a Job that has ended, or is being deleted and has no Workload, the finalizer by which
   * the core kept it.
   */
  void release(T first) {
    Optional<T> job = Optional.of(first);
    for (int round = 0; round < ROUNDS && job.isPresent(); round++) {
      T found = job.get();
      Optional<T> released =
          kind.released(found).filter(after -> Uids.of(found).equals(Uids.of(first)));
      if (released.isEmpty()) {
        return;
      }
      try {
        jobs.write(found, released.get());
        return;
      } catch (KubernetesApiException.Conflict | KubernetesApiException.NotFound e) {
        job = jobs.live(ObjectKey.of(first));
      }
    }
  }

  /**
   * Starts the Job of an admitted Workload unless it runs.
   *
   * @return why it can never start; empty if it runs
   */
  Optional<FinishedOwner> start(
      Workload workload, Admission admission, Function<String, @Nullable ResourceFlavor> flavors) {
    Optional<T> job = jobs.cached(workload);
    for (int round = 0; round < ROUNDS; round++) {
      if (job.isEmpty()
          || Health.terminating(job.get())
          || kind.finished(job.get()).isPresent()
          || news.holdsBack(job.get())) {
        return Optional.empty();
      }
      Round<T> begun;
      try {
        begun = round(job.get(), workload, admission, flavors);
      } catch (KubernetesApiException e) {
        if (!Refusal.is(e) || e instanceof KubernetesApiException.Invalid) {
          throw e;
        }
        news.refused().refused(kind, job.get(), workload, e);
        return Optional.empty(); // It is tried again.
      }
      if (begun.next().isEmpty()) {
        return begun.impossible();
      }
      job = begun.next();
    }
    throw changesTooFast(ObjectKey.of(workload));
  }

  private Round<T> round(
      T found,
      Workload workload,
      Admission admission,
      Function<String, @Nullable ResourceFlavor> flavors) {
    List<PodSet> podSets = workload.spec().podSets();
    if ((kind.suspended(found) || kind.stopBegun(found)) && runsOrDid(found, workload)) {
      // It bears marks of an earlier start, perhaps on another Workload.
      try {
        if (stopBy(found, job -> kind.nextStopStep(job, podSets)) == Owner.RUNNING) {
          return new Round<>(Optional.empty(), Optional.empty());
        }
      } catch (KubernetesApiException.Invalid e) {
        // Unlike an invalid start, it may be accepted later, and its quota is kept until then.
        news.refused().refused(kind, found, workload, e);
        return new Round<>(Optional.empty(), Optional.empty());
      }
      news.stops().forget(found);
      return new Round<>(Optional.empty(), jobs.live(workload));
    }
    if (!kind.stopped(found)
        || kind.unknownPods(found).isPresent()
        || !Equivalence.asAdmitted(
            demand.podSets(found), kind.reclaimablePods(found), podSets, admission, false)) {
      // It runs, pods of an earlier run are still terminating, or it was changed since it was
      // compared: the informer will bring that change.
      return new Round<>(Optional.empty(), Optional.empty());
    }
    Optional<Unsupported> elsewhere = demand.runsElsewhere(found);
    if (elsewhere.isPresent()) {
      return new Round<>(
          elsewhere.map(why -> new FinishedOwner(Jobs.FAILED_TO_START, why.warning())),
          Optional.empty());
    }
    return begin(
        found,
        podSets,
        PodSetAdditions.of(workload, admission, flavors),
        () -> jobs.live(workload));
  }

  /**
   * Starts one of several pods on an admitted Workload, unless it has been started or deleted.
   *
   * @return why it can never start; empty if it runs
   */
  Optional<FinishedOwner> startMember(T first, Workload workload, List<PodSetAdditions> podSets) {
    Optional<T> job = Optional.of(first);
    for (int round = 0; round < ROUNDS; round++) {
      T found =
          job.filter(read -> Uids.of(read).equals(Uids.of(first)))
              .filter(read -> kind.suspended(read) && !Health.terminating(read))
              .orElse(null);
      if (found == null) {
        return Optional.empty();
      }
      Round<T> begun;
      try {
        begun = begin(found, List.of(), podSets, () -> jobs.live(ObjectKey.of(first)));
      } catch (KubernetesApiException e) {
        if (Refusal.is(e) && !(e instanceof KubernetesApiException.Invalid)) {
          news.refused().refused(kind, found, workload, e);
        }
        throw e;
      }
      if (begun.next().isEmpty()) {
        return begun.impossible();
      }
      job = begun.next();
    }
    throw changesTooFast(ObjectKey.of(first));
  }

  private static IllegalStateException changesTooFast(ObjectKey key) {
    return new IllegalStateException(
        "the Job of Workload "
            + key
            + " changes faster than it can be started; another client keeps writing to it");
  }

  /**
   * The outcome of a round of a start.
   *
   * @param impossible why it can never start
   * @param next what to go on with; empty if there is nothing more to do
   */
  private record Round<T>(Optional<FinishedOwner> impossible, Optional<T> next) {}

  private Round<T> begin(
      T found, List<PodSet> original, List<PodSetAdditions> podSets, Supplier<Optional<T>> live) {
    Optional<FinishedOwner> impossible = Optional.empty();
    Optional<T> next = Optional.empty();
    try {
      switch (kind.start(found, podSets)) {
        case JobKind.Start.Impossible<T> start ->
            impossible = Optional.of(new FinishedOwner(Jobs.FAILED_TO_START, start.why()));
        case JobKind.Start.ResetFirst<T> reset ->
            next = Optional.of(jobs.writeStatus(found, reset.after()));
        case JobKind.Start.Ready<T> ready -> impossible = begin(found, original, ready.after());
      }
    } catch (KubernetesApiException.Conflict | KubernetesApiException.NotFound e) {
      next = live.get();
    }
    return new Round<>(impossible, next);
  }

  /** Writes a start, and says why it is impossible; empty if it isn't. */
  private Optional<FinishedOwner> begin(T found, List<PodSet> original, T ready) {
    jobs.prepareChildren(ready);
    T kept;
    try {
      kept = jobs.write(found, ready);
    } catch (KubernetesApiException.Invalid e) {
      return Optional.of(invalid(e));
    }
    Optional<FieldPath> lost = kind.dropped(found, ready, kept);
    if (lost.isPresent()) {
      news.dropped().found(kind, kept, lost.get());
      stopStarted(kept, original); // A refusal of this one says nothing of the start.
      return Optional.empty();
    }
    Optional<T> resumed = kind.resumption(kept);
    try {
      resumed.ifPresent(after -> jobs.write(kept, after));
      return Optional.empty();
    } catch (KubernetesApiException.Invalid e) {
      stopStarted(kept, original);
      return Optional.of(invalid(e));
    }
  }

  /** For example, a check added an invalid label: trying again would not help. */
  private static FinishedOwner invalid(KubernetesApiException.Invalid refused) {
    return new FinishedOwner(Jobs.FAILED_TO_START, String.valueOf(refused.getMessage()));
  }

  /** Whether a Job runs, or bears the marks of an earlier start. */
  boolean runsOrDid(T job, Workload workload) {
    return kind.nextStopStep(job, workload.spec().podSets()).isPresent();
  }
}
