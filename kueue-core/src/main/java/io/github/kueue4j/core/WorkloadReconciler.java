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
package io.github.kueue4j.core;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.job.Keys;
import io.github.kueue4j.core.lifecycle.FinishedOwner;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Sightings;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.runtime.GuardedPatch;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.runtime.Reconciler;
import io.github.kueue4j.runtime.Requeue;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
final class WorkloadReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(WorkloadReconciler.class);

  /** More steps than any chain of rules has; beyond it something is fighting us. */
  private static final int STEPS = 16;

  private static final Duration PAUSE_AFTER_FIGHT = Duration.ofSeconds(1);
  private static final Duration DISAGREEMENT_PAUSE = Duration.ofSeconds(1);
  private static final Duration RESERVATION_RETRY = Duration.ofSeconds(5);
  private static final Duration PRIORITY_CLASS_RETRY = Duration.ofSeconds(30);

  private final KubernetesApi api;
  private final FreshCache<Workload> workloads;
  private final JobSide<?> jobs;
  private final Facts facts;
  private final Outbox outbox;
  private final StateLoop state;
  private final PlanAftermath aftermath;
  private final InstantSource clock;
  private final Map<ObjectKey, Seen> seen = new ConcurrentHashMap<>();

  /** What was seen of the Workload with this uid. */
  private record Seen(String uid, Sightings sightings) {}

  WorkloadReconciler(
      KubernetesApi api,
      FreshCache<Workload> workloads,
      JobSide<?> jobs,
      Facts facts,
      Outbox outbox,
      StateLoop state,
      PlanAftermath aftermath,
      InstantSource clock) {
    this.api = api;
    this.workloads = workloads;
    this.jobs = jobs;
    this.facts = facts;
    this.outbox = outbox;
    this.state = state;
    this.aftermath = aftermath;
    this.clock = clock;
  }

  /** The outcome of one step. */
  private sealed interface Step {
    /** There may be more to do with this version. */
    record Again(Workload workload) implements Step {}

    /** Nothing more until something changes or {@code next} comes. */
    record Done(Requeue next) implements Step {}
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
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
    seen.remove(key);
    Decision.Reserve reservation = outbox.reservation(key);
    if (reservation != null) {
      giveUp(key, reservation, Duration.ZERO);
    }
    return switch (jobs.adopt(key)) {
      case NOT_NEEDED, STOPPING, CREATED -> Requeue.never();
      case NO_PRIORITY -> Requeue.after(PRIORITY_CLASS_RETRY);
    };
  }

  private Step step(ObjectKey key, Workload workload) {
    Decision.Reserve reservation = outbox.reservation(key);
    if (Health.terminating(workload)) {
      abandon(key, reservation);
      return terminate(workload);
    }
    Phase phase = facts.about(workload, Owner.UNKNOWN, Sightings.none()).phase();
    if (phase == Phase.FINISHED) {
      abandon(key, reservation);
      dropFinalizer(workload);
      return new Step.Done(Requeue.never());
    }
    Optional<FinishedOwner> finished = jobs.finished(workload);
    boolean stopFirst =
        finished.isEmpty()
            && (phase == Phase.EVICTING
                || (phase == Phase.DEACTIVATED && Phase.holdsQuota(workload)));
    Situation situation =
        facts.about(
            workload, stopFirst ? stopOwner(workload) : Owner.UNKNOWN, sightings(key, workload));
    Instant now = clock.instant();
    Plan plan = plan(situation, finished.orElse(null), reservation, now);
    remember(key, workload, plan.observed());
    return switch (plan) {
      case Plan.Nothing nothing -> {
        // The State thought that it could be reserved; don't spin until both agree.
        if (reservation != null) {
          giveUp(key, reservation, DISAGREEMENT_PAUSE);
        }
        yield settle(workload, phase, nothing.wakeAt());
      }
      case Plan.PatchSpec patch -> {
        abandon(key, reservation);
        yield new Step.Again(
            workloads.saw(
                api.patch(
                    KueueTypes.WORKLOAD, GuardedPatch.between(patch.before(), patch.after()))));
      }
      case Plan.PatchStatus patch -> {
        if (patch.rule() != Rule.RESERVE) {
          abandon(key, reservation);
        }
        yield new Step.Again(write(key, patch, patch.rule() == Rule.RESERVE ? reservation : null));
      }
    };
  }

  private Plan plan(
      Situation situation,
      @Nullable FinishedOwner finished,
      Decision.@Nullable Reserve reservation,
      Instant now) {
    ObjectKey key = ObjectKey.of(situation.workload());
    if (finished != null) {
      return Lifecycle.finish(situation, finished, now);
    }
    if (reservation != null
        && reservation.workload().uid().equals(Uids.of(situation.workload()))
        && reservation.workload().localQueue().equals(situation.workload().spec().queueName())) {
      Admission admission = reservation.admission();
      return Lifecycle.reserve(situation, admission, facts.requiredBy(admission), now);
    }
    Plan plan = Lifecycle.plan(situation, now);
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
    return outbox.verdict(key).or(() -> QueueVerdict.of(situation, facts::clusterQueueActive));
  }

  private Workload write(
      ObjectKey key, Plan.PatchStatus plan, Decision.@Nullable Reserve reservation) {
    GuardedPatch<Workload> patch = GuardedPatch.ofStatus(plan.before(), plan.after());
    Workload written;
    try {
      written = workloads.saw(api.patchStatus(KueueTypes.WORKLOAD, patch));
    } catch (KubernetesApiException.Invalid
        | KubernetesApiException.BadRequest
        | KubernetesApiException.Forbidden e) {
      // Refused for good. After any other failure the patch may have arrived: the quota stays
      // taken until the next try has read the Workload.
      if (reservation != null) {
        giveUp(key, reservation, RESERVATION_RETRY);
      }
      throw e;
    }
    remember(key, written, plan.applied());
    if (reservation != null) {
      outbox.settle(key, reservation);
      state.post(current -> current.reservationWritten(key, reservation, written, clock.instant()));
    } else {
      state.post(current -> current.workload(written, clock.instant()));
    }
    aftermath.carriedOut(plan, written);
    if (plan.rule() == Rule.RELEASE) {
      jobs.tellStopped(written, evictionMessage(written));
    }
    return written;
  }

  /** Nothing is to be written to the Workload: bring its Job in line. */
  private Step settle(Workload workload, Phase phase, @Nullable Instant wakeAt) {
    Admission admission = workload.status().admission();
    if (phase == Phase.ADMITTED && admission != null) {
      Optional<FinishedOwner> impossible = jobs.start(workload, admission, facts);
      if (impossible.isPresent()) {
        Situation situation = facts.about(workload, Owner.UNKNOWN, Sightings.none());
        return Lifecycle.finish(situation, impossible.get(), clock.instant())
                instanceof Plan.PatchStatus plan
            ? new Step.Again(write(ObjectKey.of(workload), plan, null))
            : new Step.Done(Requeue.never());
      }
      return new Step.Done(requeue(workload, wakeAt));
    }
    if (jobs.running(workload)) {
      jobs.stop(workload);
    }
    if (!Phase.holdsQuota(workload)) {
      Optional<String> queue = jobs.changedQueue(workload);
      if (queue.isPresent()) {
        Workload moved = workload.withSpec(workload.spec().withQueueName(queue.get()));
        return new Step.Again(
            workloads.saw(api.patch(KueueTypes.WORKLOAD, GuardedPatch.between(workload, moved))));
      }
    }
    return new Step.Done(requeue(workload, wakeAt));
  }

  /** Wakes for the lifecycle or for a verdict that is to be written, whichever comes first. */
  private Requeue requeue(Workload workload, @Nullable Instant wakeAt) {
    ObjectKey key = ObjectKey.of(workload);
    Situation situation = facts.about(workload, Owner.UNKNOWN, Sightings.none());
    Instant verdictAt =
        situation.phase() == Phase.QUEUED || situation.phase() == Phase.HELD
            ? verdict(key, situation)
                .map(Outbox.Verdict::notBefore)
                .filter(when -> when.isAfter(clock.instant()))
                .orElse(null)
            : null;
    if (wakeAt == null && verdictAt == null) {
      return Requeue.never();
    }
    if (wakeAt == null || verdictAt == null) {
      return Requeue.at(wakeAt == null ? Objects.requireNonNull(verdictAt) : wakeAt);
    }
    return Requeue.at(wakeAt.isBefore(verdictAt) ? wakeAt : verdictAt);
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
    if (jobs.owns(workload) && jobs.finished(workload).isEmpty() && jobs.running(workload)) {
      if (jobs.stop(workload) != Owner.STOPPED) {
        return new Step.Done(Requeue.never());
      }
    }
    dropFinalizer(workload);
    return new Step.Done(Requeue.never());
  }

  private void dropFinalizer(Workload workload) {
    List<String> finalizers =
        Objects.requireNonNullElse(workload.metadata().getFinalizers(), List.<String>of());
    if (!finalizers.contains(Keys.FINALIZER)) {
      return;
    }
    V1ObjectMeta metadata = Copies.of(workload.metadata(), V1ObjectMeta.class);
    List<String> others =
        finalizers.stream().filter(finalizer -> !finalizer.equals(Keys.FINALIZER)).toList();
    metadata.setFinalizers(others.isEmpty() ? null : others);
    workloads.saw(
        api.patch(
            KueueTypes.WORKLOAD, GuardedPatch.between(workload, workload.withMetadata(metadata))));
    if (Health.terminating(workload)) {
      workloads.forget(ObjectKey.of(workload));
    }
  }

  /** The reservation can't be made any more: its quota is free for others at once. */
  private void abandon(ObjectKey key, Decision.@Nullable Reserve reservation) {
    if (reservation != null) {
      giveUp(key, reservation, Duration.ZERO);
    }
  }

  private void giveUp(ObjectKey key, Decision.Reserve reservation, Duration pause) {
    outbox.settle(key, reservation);
    Instant now = clock.instant();
    state.post(current -> current.reservationFailed(key, reservation, now.plus(pause), now));
  }

  private Sightings sightings(ObjectKey key, Workload workload) {
    Seen before = seen.get(key);
    return before == null || !before.uid().equals(Uids.of(workload))
        ? Sightings.none()
        : before.sightings();
  }

  private void remember(ObjectKey key, Workload workload, Sightings sightings) {
    seen.put(key, new Seen(Uids.of(workload), sightings));
  }

  private static String evictionMessage(Workload workload) {
    return Conditions.find(workload.status().conditions(), WorkloadConditions.EVICTED)
        .map(Condition::message)
        .orElse("Not admitted by cluster queue");
  }
}
