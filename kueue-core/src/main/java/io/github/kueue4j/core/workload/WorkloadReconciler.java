// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.owner.Attempts;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.WriteOutcomes;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one serial worker of a Workload. A step has six parts, and the first that has something to do
 * ends it:
 *
 * <ol>
 *   <li>read the {@link Turn}, which all others start from; Workloads that are being deleted or
 *       have finished go to {@link WorkloadRemoval};
 *   <li>align: {@link JobAlignment} makes the Workload say what its Job asks for;
 *   <li>stop: {@link JobUpkeep} stops the Job of a Workload that was evicted;
 *   <li>decide: {@link TurnPlanner} asks the {@link Lifecycle} for one plan;
 *   <li>write: {@link WorkloadWriter} writes it as a guarded patch;
 *   <li>upkeep: {@link JobUpkeep} starts or stops the Job when there is nothing to write.
 * </ol>
 *
 * <p>The work queue never runs two reconciles of a key at once: when quota is released here, no
 * start of the Job is in flight. After a conflict the Workload is read from the API server, never
 * from the informer.
 */
@API(status = API.Status.INTERNAL)
public final class WorkloadReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(WorkloadReconciler.class);

  /** More steps than any chain of rules has: beyond it another client undoes what is written. */
  private static final int STEPS = 16;

  private static final Duration PAUSE_AFTER_FIGHT = Duration.ofSeconds(1);
  private static final Duration DISAGREEMENT_PAUSE = Duration.ofSeconds(1);
  private static final Duration PRIORITY_CLASS_RETRY = Duration.ofSeconds(30);

  private final FreshCache<Workload> workloads;
  private final Jobs jobs;
  private final SituationBuilder situations;
  private final Outbox outbox;
  private final WriteOutcomes state;
  private final PlanReporter reporter;
  private final InstantSource clock;
  private final EntryMemory memory = new EntryMemory();
  private final WorkloadRemoval removal;
  private final JobAlignment alignment;
  private final TurnPlanner planner;
  private final WorkloadWriter writer;
  private final JobUpkeep upkeep;
  private volatile boolean caughtUp;

  /**
   * The reconciler.
   *
   * @param state told about everything that was written or given up
   */
  public WorkloadReconciler(
      FreshCache<Workload> workloads,
      Jobs jobs,
      SituationBuilder situations,
      Outbox outbox,
      WriteOutcomes state,
      PlanReporter reporter,
      InstantSource clock) {
    this.workloads = workloads;
    this.jobs = jobs;
    this.situations = situations;
    this.outbox = outbox;
    this.state = state;
    this.reporter = reporter;
    this.clock = clock;
    this.planner = new TurnPlanner(situations, outbox);
    this.writer = new WorkloadWriter(workloads, situations, memory, outbox, state, reporter);
    this.removal = new WorkloadRemoval(writer, reporter);
    this.alignment = new JobAlignment(jobs, writer);
    this.upkeep = new JobUpkeep(jobs, writer, situations, planner, alignment);
  }

  @Override
  public Requeue reconcile(ObjectKey key) throws InterruptedException {
    if (!caughtUp) {
      // After a start: which reservations exceed their quota is known once all have been counted.
      state.catchUp();
      caughtUp = true;
    }
    Optional<Workload> current = workloads.get(key);
    for (int step = 0; step < STEPS; step++) {
      if (current.isEmpty()) {
        return absent(key);
      }
      try {
        switch (step(key, current.get())) {
          case Step.Done done -> {
            return done.next();
          }
          case Step.Again again -> current = Optional.of(again.workload());
          case Step.Reread reread -> current = workloads.live(key);
        }
      } catch (KubernetesApiException.Conflict e) {
        log.atDebug()
            .addKeyValue("workload", key)
            .log("The Workload was changed by another client; reading it again");
        current = workloads.live(key);
      } catch (KubernetesApiException.NotFound e) {
        Optional<Workload> read = workloads.live(key);
        if (read.map(ResourceVersions::number).equals(current.map(ResourceVersions::number))) {
          // Not the Workload is missing; to ask again at once would bring the same.
          throw e;
        }
        current = read;
      }
    }
    log.atWarn()
        .addKeyValue("workload", key)
        .addKeyValue("steps", STEPS)
        .log("The Workload does not settle; another client may be writing the same fields");
    return Requeue.after(PAUSE_AFTER_FIGHT);
  }

  private Requeue absent(ObjectKey key) {
    memory.forget(key);
    reporter.gone(key);
    jobs.forget(key);
    alignment.forget(key);
    writer.abandon(key, null);
    return switch (jobs.adopt(key)) {
      case NOT_NEEDED, PREBUILT_MISSING, CREATED -> Requeue.never();
      case AWAITS_PODS -> Requeue.after(Jobs.AWAITS_PODS_FOR);
      case STOPPING -> Requeue.after(Jobs.STOPPING_FOR);
      case AWAITED -> Requeue.after(Jobs.AWAITED_FOR);
      case REFUSED -> Requeue.after(RefusedChanges.PAUSE);
      case CHANGED -> Requeue.after(PAUSE_AFTER_FIGHT);
      case NO_PRIORITY -> Requeue.after(PRIORITY_CLASS_RETRY);
    };
  }

  private Step step(ObjectKey key, Workload workload) throws InterruptedException {
    if (Health.terminating(workload)) {
      // Before anything else is read: a deletion doesn't depend on queues and checks.
      writer.abandon(key, workload);
      return removal.release(workload, jobs.of(workload));
    }
    Turn turn = read(key, workload);
    reporter.read(turn.situation());
    Attempts others = jobs.stopOtherJobs(workload);
    Step step = turn.phase() == Phase.FINISHED ? removal.retain(turn) : decide(turn);
    // Any other step is followed by one that tries again to stop them.
    return step instanceof Step.Done done
        ? others.again(clock.instant()).map(done::alsoAt).orElse(done)
        : step;
  }

  private Step decide(Turn read) throws InterruptedException {
    Turn turn = read;
    ObjectKey key = turn.key();
    Workload workload = turn.workload();
    FinishedOwner finished = turn.job().finished().orElse(null);
    if (finished == null) {
      Optional<Step> aligned = alignment.align(turn);
      if (aligned.isPresent()) {
        return aligned.get();
      }
      turn = turn.knowing(upkeep.stopEvicted(turn));
    }
    Plan plan = planner.plan(turn, finished);
    if (plan.rule() == Rule.ADMIT) {
      // KEP-993: the assignment is verified before an admission, with all that is known by now.
      state.catchUp();
    }
    if (mayBeOutdated(plan.rule()) && !stillHolds(turn)) {
      return new Step.Again(workload);
    }
    memory.remember(key, workload, plan.observed());
    return switch (plan) {
      case Plan.PatchSpec patch -> new Step.Again(writer.write(turn, patch));
      case Plan.PatchStatus patch -> new Step.Again(writer.write(turn, patch));
      case Plan.Nothing nothing -> {
        // The State expected a reservation or a preemption: both pause until it agrees.
        PreemptionOrder order = turn.preemption();
        if (order != null) {
          outbox.settle(key, order);
          state.preemptionFailed(order, DISAGREEMENT_PAUSE);
        }
        writer.postpone(turn, DISAGREEMENT_PAUSE);
        yield upkeep.maintain(turn, nothing.wakeAt());
      }
    };
  }

  private Turn read(ObjectKey key, Workload workload) {
    // Read first, since the State says before it what goes with it, such as victims to wait for.
    AssumedReservation reservation = outbox.reservation(key);
    return new Turn(
        key,
        workload,
        jobs.of(workload),
        situation(key, workload, Owner.UNKNOWN),
        reservation,
        outbox.preemption(key),
        clock.instant());
  }

  /**
   * Whether a decision rests on what isn't in the Workload, whose version guards the patch, and has
   * waited since: for the State, or for the API server's answer whether the Job rests. A pods-ready
   * timeout needn't be looked at again: the API server is asked only about a Job that doesn't run,
   * of which no pod can have become ready meanwhile.
   */
  private static boolean mayBeOutdated(@Nullable Rule rule) {
    return rule == Rule.ADMIT || rule == Rule.PREEMPT || rule == Rule.DRAIN;
  }

  /** Whether what a step has decided from, besides its Workload, is so still. */
  private boolean stillHolds(Turn turn) {
    Situation decidedFrom = turn.situation();
    return situation(turn.key(), turn.workload(), decidedFrom.owner()).equals(decidedFrom)
        && Objects.equals(outbox.preemption(turn.key()), turn.preemption());
  }

  private Situation situation(ObjectKey key, Workload workload, Owner owner) {
    return situations.about(workload, owner, memory.observedEntries(key, workload));
  }
}
