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
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.job.Alignment;
import io.github.kueue4j.core.lifecycle.FinishedOwner;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Sightings;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.owner.Jobs;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one serial worker of a Workload: asks the {@link Lifecycle} what to do, writes it as a
 * guarded patch, and starts or stops the Job. The work queue sees to it that no two reconciles of a
 * key overlap, so whoever releases quota here knows that no start is in flight.
 *
 * <p>After a conflict it reads the Workload from the API, never from the informer.
 */
@API(status = API.Status.INTERNAL)
public final class WorkloadReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(WorkloadReconciler.class);

  /** More steps than any chain of rules has; beyond it something is fighting us. */
  private static final int STEPS = 16;

  private static final Duration PAUSE_AFTER_FIGHT = Duration.ofSeconds(1);
  private static final Duration DISAGREEMENT_PAUSE = Duration.ofSeconds(1);
  private static final Duration PRIORITY_CLASS_RETRY = Duration.ofSeconds(30);

  private static final Duration REFUSAL_RETRY = Duration.ofMinutes(1);

  private final FreshCache<Workload> workloads;
  private final WorkloadWriter writer;
  private final Jobs jobs;
  private final Facts facts;
  private final Outbox outbox;
  private final PlanAftermath aftermath;
  private final InstantSource clock;
  private final StateLoop state;
  private final RefusedChanges refusedChanges = new RefusedChanges();
  private volatile boolean caughtUp;

  /**
   * The reconciler.
   *
   * @param state told about everything that was written or given up
   */
  public WorkloadReconciler(
      KubernetesApi api,
      FreshCache<Workload> workloads,
      Jobs jobs,
      Facts facts,
      Outbox outbox,
      StateLoop state,
      PlanAftermath aftermath,
      InstantSource clock) {
    this.workloads = workloads;
    this.writer = new WorkloadWriter(api, workloads, jobs, outbox, state, aftermath, clock);
    this.jobs = jobs;
    this.facts = facts;
    this.outbox = outbox;
    this.aftermath = aftermath;
    this.state = state;
    this.clock = clock;
  }

  /** The outcome of one step. */
  private sealed interface Step {
    /** There may be more to do with this version. */
    record Again(Workload workload) implements Step {}

    /** The object has become another one: read it again. */
    record Moved() implements Step {}

    /** Nothing more until something changes or {@code next} comes. */
    record Done(Requeue next) implements Step {}
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
      Workload workload = current.get();
      try {
        switch (step(key, workload)) {
          case Step.Done done -> {
            return done.next();
          }
          case Step.Again again -> current = Optional.of(again.workload());
          case Step.Moved moved -> current = workloads.live(key);
        }
      } catch (KubernetesApiException.Conflict e) {
        log.atDebug().addKeyValue("workload", key).log("Changed meanwhile, reading it again");
        current = workloads.live(key);
      } catch (KubernetesApiException.NotFound e) {
        current = workloads.live(key);
      }
    }
    log.atWarn()
        .addKeyValue("workload", key)
        .addKeyValue("steps", STEPS)
        .log("Still not settled; somebody else may be writing the same fields");
    return Requeue.after(PAUSE_AFTER_FIGHT);
  }

  private Requeue absent(ObjectKey key) {
    writer.forget(key);
    aftermath.gone(key);
    jobs.forget(key);
    refusedChanges.forget(key);
    Decision.Reserve reservation = outbox.reservation(key);
    if (reservation != null) {
      writer.giveUp(key, reservation, Duration.ZERO);
    }
    return switch (jobs.adopt(key)) {
      case NOT_NEEDED, STOPPING, PREBUILT_MISSING, CREATED -> Requeue.never();
      case REFUSED -> Requeue.after(REFUSAL_RETRY);
      case CHANGED -> Requeue.after(PAUSE_AFTER_FIGHT);
      case NO_PRIORITY -> Requeue.after(PRIORITY_CLASS_RETRY);
    };
  }

  private Step step(ObjectKey key, Workload workload) throws InterruptedException {
    Decision.Reserve reservation = outbox.reservation(key);
    if (Health.terminating(workload)) {
      writer.abandon(key, reservation);
      return terminate(workload);
    }
    Situation known = facts.about(workload, Owner.UNKNOWN, Sightings.none());
    aftermath.read(known);
    Phase phase = known.phase();
    jobs.restrain(workload);
    if (phase == Phase.FINISHED) {
      writer.abandon(key, reservation);
      if (jobs.running(workload)) {
        // It could not start; it has no quota to run on when somebody else starts it.
        jobs.stop(workload);
      }
      writer.dropFinalizer(workload);
      return retain(workload);
    }
    Optional<FinishedOwner> finished = jobs.finished(workload);
    if (finished.isEmpty()) {
      Optional<Step> aligned = align(key, workload, phase, reservation);
      if (aligned.isPresent()) {
        return aligned.get();
      }
      Optional<Workload> reclaimed =
          Phase.holdsQuota(workload) ? Optional.empty() : jobs.reclaimed(workload);
      if (reclaimed.isPresent()) {
        return new Step.Again(writer.writeDemand(key, workload, reclaimed.get(), reservation));
      }
    }
    boolean stopFirst =
        finished.isEmpty()
            && (phase == Phase.EVICTING
                || (phase == Phase.DEACTIVATED && Phase.holdsQuota(workload)));
    Situation situation =
        facts.about(
            workload,
            stopFirst ? stopOwner(workload) : Owner.UNKNOWN,
            writer.sightings(key, workload));
    PreemptionOrder order = outbox.preemption(key);
    Plan plan = plan(situation, finished.orElse(null), reservation, order, clock.instant());
    if (plan.rule() == Rule.ADMIT) {
      // KEP-993: the assignment is verified before, with all that is known by now.
      state.catchUp();
      situation = facts.about(workload, Owner.UNKNOWN, writer.sightings(key, workload));
      order = outbox.preemption(key);
      plan = plan(situation, null, reservation, order, clock.instant());
    }
    writer.remember(key, workload, plan.observed());
    return switch (plan) {
      case Plan.Nothing nothing -> {
        if (order != null) {
          // It gives its quota back anyway, or has none any more.
          writer.pointless(key, order, DISAGREEMENT_PAUSE);
        }
        // The State thought that it could be reserved; don't spin until both agree.
        if (reservation != null) {
          writer.giveUp(key, reservation, DISAGREEMENT_PAUSE);
        }
        yield settle(workload, phase, nothing.wakeAt());
      }
      case Plan.PatchSpec patch -> {
        writer.abandon(key, reservation);
        yield new Step.Again(writer.patch(GuardedPatch.between(patch.before(), patch.after())));
      }
      case Plan.PatchStatus patch -> {
        if (patch.rule() != Rule.RESERVE) {
          writer.abandon(key, reservation);
        }
        Workload written =
            writer.write(key, patch, patch.rule() == Rule.RESERVE ? reservation : null);
        if (patch.rule() == Rule.PREEMPT && order != null) {
          outbox.settle(key, order);
          aftermath.preempted(order, workloads.get(order.preemptor()).orElse(null));
        }
        aftermath.wrote(facts.about(written, Owner.UNKNOWN, Sightings.none()));
        yield new Step.Again(written);
      }
    };
  }

  /** Makes the Workload say what its Job asks for; empty if it does. */
  private Optional<Step> align(
      ObjectKey key, Workload workload, Phase phase, Decision.@Nullable Reserve reservation) {
    Optional<Workload> claimed = jobs.claimed(workload);
    if (claimed.isPresent()) {
      return Optional.of(
          new Step.Again(writer.patch(GuardedPatch.between(workload, claimed.get()))));
    }
    return switch (jobs.alignment(workload, phase)) {
      case Alignment.InLine inLine -> {
        refusedChanges.forget(key);
        yield Optional.empty();
      }
      case Alignment.Change change -> change(key, change, reservation);
      case Alignment.Recheck recheck -> Optional.of(new Step.Moved());
      case Alignment.Replace replace -> {
        writer.abandon(key, reservation);
        writer.delete(workload);
        jobs.replaced(workload);
        yield Optional.of(new Step.Moved());
      }
      case Alignment.OutOfSync outOfSync -> {
        writer.abandon(key, reservation);
        if (jobs.running(workload) && jobs.stop(workload) != Owner.STOPPED) {
          // Its pods still use the quota.
          yield Optional.of(new Step.Done(Requeue.never()));
        }
        Situation situation = facts.about(workload, Owner.UNKNOWN, Sightings.none());
        yield Optional.of(finish(situation, outOfSync.finished()));
      }
    };
  }

  private Optional<Step> change(
      ObjectKey key, Alignment.Change change, Decision.@Nullable Reserve reservation) {
    Instant now = clock.instant();
    Optional<Instant> rests = refusedChanges.rests(change, now);
    if (rests.isPresent()) {
      return refused(key, change, reservation, rests.get());
    }
    Workload written;
    try {
      written = writer.patch(GuardedPatch.between(change.before(), change.after()));
    } catch (KubernetesApiException.Invalid refused) {
      jobs.tellRefused(change.before(), refused);
      Instant again = now.plus(REFUSAL_RETRY);
      refusedChanges.add(change, again);
      return refused(key, change, reservation, again);
    } catch (KubernetesApiException e) {
      writer.abandon(key, reservation);
      throw e;
    }
    refusedChanges.forget(key);
    writer.abandon(key, reservation);
    jobs.aligned(change, written);
    return Optional.of(new Step.Again(written));
  }

  private Optional<Step> refused(
      ObjectKey key,
      Alignment.Change change,
      Decision.@Nullable Reserve reservation,
      Instant again) {
    if (Phase.holdsQuota(change.before())) {
      // It must still answer its checks and give its quota back when that is due.
      return Optional.empty();
    }
    if (reservation != null) {
      writer.giveUp(key, reservation, REFUSAL_RETRY);
    }
    return Optional.of(new Step.Done(Requeue.at(again)));
  }

  private Step finish(Situation situation, FinishedOwner how) {
    return Lifecycle.finish(situation, how, clock.instant()) instanceof Plan.PatchStatus plan
        ? new Step.Again(writer.write(ObjectKey.of(situation.workload()), plan, null))
        : new Step.Done(Requeue.never());
  }

  /** Finished Workloads are kept for a while, or for ever. */
  private Step retain(Workload finished) {
    Optional<Instant> until = jobs.finishedKeptUntil(finished);
    if (until.isPresent() && clock.instant().isBefore(until.get())) {
      return new Step.Done(Requeue.at(until.get()));
    }
    if (until.isPresent()) {
      writer.delete(finished);
      aftermath.deleted(finished);
    }
    return new Step.Done(Requeue.never());
  }

  private Plan plan(
      Situation situation,
      @Nullable FinishedOwner finished,
      Decision.@Nullable Reserve reservation,
      @Nullable PreemptionOrder order,
      Instant now) {
    ObjectKey key = ObjectKey.of(situation.workload());
    if (finished != null) {
      return Lifecycle.finish(situation, finished, now);
    }
    if (reservation != null
        && facts.unchanged(
            situation.workload(), reservation.clusterQueue(), reservation.workload())) {
      Admission admission = reservation.admission();
      return Lifecycle.reserve(situation, admission, facts.requiredBy(admission), now);
    }
    if (order != null && order.concerns(situation.workload())) {
      return Lifecycle.preempt(situation, order.preemption(), now);
    }
    Plan plan = Lifecycle.plan(situation, now);
    if (plan instanceof Plan.Nothing || plan.rule() == Rule.ADMIT) {
      Optional<FinishedOwner> conflict = facts.conflict(situation);
      if (conflict.isPresent()) {
        return Lifecycle.finish(situation, conflict.get(), now);
      }
    }
    if (plan instanceof Plan.Nothing) {
      Optional<Outbox.Verdict> verdict =
          verdict(key, situation).filter(due -> !now.isBefore(due.notBefore()));
      if (verdict.isPresent()) {
        return Lifecycle.notReserved(
            situation, verdict.get().reason(), verdict.get().message(), now);
      }
    }
    return plan;
  }

  private Optional<Outbox.Verdict> verdict(ObjectKey key, Situation situation) {
    return outbox
        .verdict(key)
        .or(
            () ->
                QueueVerdict.of(
                    situation, facts.gatedBy(situation.workload()), facts::clusterQueueActive));
  }

  /** Nothing is to be written to the Workload: bring its Job in line. */
  private Step settle(Workload workload, Phase phase, @Nullable Instant wakeAt) {
    Optional<Workload> reclaimed =
        Phase.holdsQuota(workload) ? jobs.reclaimed(workload) : Optional.empty();
    if (reclaimed.isPresent()) {
      return new Step.Again(writer.patchStatus(GuardedPatch.ofStatus(workload, reclaimed.get())));
    }
    OptionalInt priority = jobs.changedPriority(workload);
    if (priority.isPresent()) {
      Workload changed = workload.withSpec(workload.spec().withPriority(priority.getAsInt()));
      return new Step.Again(writer.patch(GuardedPatch.between(workload, changed)));
    }
    Admission admission = workload.status().admission();
    if (phase == Phase.ADMITTED && admission != null) {
      Optional<FinishedOwner> impossible = jobs.start(workload, admission, facts::flavor);
      if (impossible.isPresent()) {
        return finish(facts.about(workload, Owner.UNKNOWN, Sightings.none()), impossible.get());
      }
      return new Step.Done(requeue(workload, wakeAt));
    }
    if (jobs.strays(workload)) {
      jobs.stop(workload);
      if (!jobs.strays(workload)) {
        return new Step.Again(workload);
      }
    }
    Optional<Instant> keptUntil =
        Phase.holdsQuota(workload) ? Optional.empty() : jobs.deactivatedKeptUntil(workload);
    if (keptUntil.isPresent()) {
      if (clock.instant().isBefore(keptUntil.get())) {
        return new Step.Done(Requeue.at(keptUntil.get()));
      }
      jobs.delete(workload);
    }
    return new Step.Done(requeue(workload, wakeAt));
  }

  /**
   * Wakes for the lifecycle, for a verdict that is to be written, or for a change that was refused
   * and is to be asked for again, whichever comes first.
   */
  private Requeue requeue(Workload workload, @Nullable Instant wakeAt) {
    ObjectKey key = ObjectKey.of(workload);
    Situation situation = facts.about(workload, Owner.UNKNOWN, Sightings.none());
    Optional<Instant> verdictAt =
        situation.phase() == Phase.QUEUED || situation.phase() == Phase.HELD
            ? verdict(key, situation).map(Outbox.Verdict::notBefore)
            : Optional.empty();
    Instant now = clock.instant();
    Stream<Instant> ours =
        Stream.concat(verdictAt.stream(), refusedChanges.until(key).stream())
            .filter(when -> when.isAfter(now));
    return Stream.concat(Stream.ofNullable(wakeAt), ours)
        .min(Comparator.naturalOrder())
        .map(Requeue::at)
        .orElseGet(Requeue::never);
  }

  private Owner stopOwner(Workload workload) {
    if (jobs.owns(workload)) {
      return jobs.stop(workload);
    }
    // An owner of a kind that we don't know releases the quota itself when it has stopped.
    return Objects.requireNonNullElse(workload.metadata().getOwnerReferences(), List.of()).isEmpty()
        ? Owner.NONE
        : Owner.UNKNOWN;
  }

  private Step terminate(Workload workload) {
    boolean mayRun = jobs.running(workload) || Phase.holdsQuota(workload);
    if (jobs.owns(workload)
        && jobs.finished(workload).isEmpty()
        && mayRun
        && !jobs.goes(workload)
        && !jobs.runsOnAnother(workload)
        && jobs.stop(workload) != Owner.STOPPED) {
      // Its pods still use the quota, which is free for others once the Workload is gone.
      return new Step.Done(Requeue.never());
    }
    writer.dropFinalizer(workload);
    return new Step.Done(Requeue.never());
  }
}
