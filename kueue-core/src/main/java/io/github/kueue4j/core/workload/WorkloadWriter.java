// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.FreshCache;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.owner.WorkloadJob;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.WriteOutcomes;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes what was decided about Workloads, and tells the State, the events and the meters, which
 * count on the outcome.
 */
final class WorkloadWriter {
  private static final Duration RESERVATION_RETRY = Duration.ofSeconds(5);

  private final FreshCache<Workload> workloads;
  private final SituationBuilder situations;
  private final EntryMemory memory;
  private final Outbox outbox;
  private final WriteOutcomes state;
  private final PlanReporter reporter;

  WorkloadWriter(
      FreshCache<Workload> workloads,
      SituationBuilder situations,
      EntryMemory memory,
      Outbox outbox,
      WriteOutcomes state,
      PlanReporter reporter) {
    this.workloads = workloads;
    this.situations = situations;
    this.memory = memory;
    this.outbox = outbox;
    this.state = state;
    this.reporter = reporter;
  }

  /** Changes something other than the status. */
  Workload patch(GuardedPatch<Workload> patch) {
    return workloads.write(patch);
  }

  /** Changes what of the status is not the lifecycle's. */
  Workload patchStatus(GuardedPatch<Workload> patch) {
    return workloads.writeStatus(patch);
  }

  /** Nothing more until a Job that is being stopped, or its pods, have ended, but to tell that. */
  Step awaitStop(Workload workload, WorkloadJob job) {
    return job.withItsNews(Phase.EVICTING)
        .<Step>map(told -> new Step.Again(patchStatus(GuardedPatch.ofStatus(workload, told))))
        .orElseGet(
            () -> new Step.Done(job.nextLookAtPods().map(Requeue::at).orElseGet(Requeue::never)));
  }

  /** Changes the status; if the API server refuses that, the reservation waits for a while. */
  private Workload patchStatus(Turn turn, Workload after) {
    try {
      return patchStatus(GuardedPatch.ofStatus(turn.workload(), after));
    } catch (KubernetesApiException.Invalid
        | KubernetesApiException.BadRequest
        | KubernetesApiException.Forbidden e) {
      // Refused for good: other Workloads may use the quota meanwhile. After any other failure the
      // patch may have arrived: the quota stays taken until the next try has read the Workload.
      postpone(turn, RESERVATION_RETRY);
      throw e;
    }
  }

  /** Abandons a reservation that has become pointless. */
  void abandon(Turn turn) {
    postpone(turn, Duration.ZERO);
  }

  /** Postpones a reservation that can't be written now. */
  void postpone(Turn turn, Duration pause) {
    giveUp(turn.reservation(), turn.workload(), pause);
  }

  /** The same, of a Workload that is being deleted or, if it is null, is gone. */
  void abandon(ObjectKey key, @Nullable Workload workload) {
    giveUp(outbox.reservation(key), workload, Duration.ZERO);
  }

  private void giveUp(
      @Nullable AssumedReservation reservation, @Nullable Workload seen, Duration pause) {
    if (reservation != null) {
      reservation.failed(seen, pause, state);
    }
  }

  /** Changes what a waiting Workload asks for; what was to be reserved for it doesn't fit then. */
  Workload writeDemand(Turn turn, Workload after) {
    Workload written = patchStatus(turn, after);
    state.written(written);
    abandon(turn);
    return written;
  }

  /** Deletes this very Workload. */
  void delete(Workload workload) {
    workloads.delete(workload);
  }

  /** Carries out a plan for the spec, which ends what was to be reserved. */
  Workload write(Turn turn, Plan.PatchSpec plan) {
    abandon(turn);
    return patch(GuardedPatch.between(plan.before(), plan.after()));
  }

  /**
   * Carries out a plan for the status; any but the reservation itself ends what was to be reserved.
   *
   * @return the Workload as it is now: unchanged if the reservation was cancelled meanwhile
   */
  Workload write(Turn turn, Plan.PatchStatus plan) {
    if (plan.rule() == Rule.RESERVE) {
      return Optional.ofNullable(turn.reservation())
          .flatMap(reservation -> reservation.send(() -> send(turn, plan), state))
          .map(written -> reported(turn, plan, written))
          .orElse(turn.workload());
    }
    abandon(turn);
    Workload written = send(turn, plan);
    state.written(written);
    return reported(turn, plan, written);
  }

  private Workload send(Turn turn, Plan.PatchStatus plan) {
    // Stays so unless the answer is success: otherwise the patch may have been written all the
    // same.
    memory.remember(turn.key(), turn.workload(), plan.observed().orApplied(plan.applied()));
    Workload written = patchStatus(turn, plan.after());
    memory.remember(turn.key(), written, plan.applied());
    return written;
  }

  private Workload reported(Turn turn, Plan.PatchStatus plan, Workload written) {
    reporter.carriedOut(plan, written);
    // A preemption has its one event on the preemptor. What was only reserved never
    // ran, and what has finished wasn't stopped.
    if (JobUpkeep.stopsFirst(turn)
        && plan.before().conditions().admitted()
        && !written.conditions().reserved()
        && !written.conditions().preempted()) {
      turn.job().recordStop(evictionMessage(written));
    }
    PreemptionOrder order = turn.preemption();
    if (plan.rule() == Rule.PREEMPT && order != null) {
      outbox.settle(turn.key(), order);
      reporter.preempted(order, written, workloads.get(order.preemptor()).orElse(null));
    }
    reporter.wrote(situations.about(written, Owner.UNKNOWN, plan.applied()));
    return written;
  }

  /** Writes that the Workload has finished. */
  Step finish(Turn turn, FinishedOwner how) {
    return Lifecycle.finish(turn.situation(), how, turn.now()) instanceof Plan.PatchStatus plan
        ? new Step.Again(write(turn, plan))
        : Step.done();
  }

  /** Takes the finalizer off a Workload, so that it can be deleted. */
  void dropFinalizer(Workload workload) {
    List<String> finalizers =
        Objects.requireNonNullElse(workload.metadata().getFinalizers(), List.<String>of());
    if (!finalizers.contains(Keys.FINALIZER)) {
      return;
    }
    V1ObjectMeta metadata = KueueJson.copyOf(workload.metadata(), V1ObjectMeta.class);
    List<String> others =
        finalizers.stream().filter(finalizer -> !finalizer.equals(Keys.FINALIZER)).toList();
    metadata.setFinalizers(others.isEmpty() ? null : others);
    patch(GuardedPatch.between(workload, workload.withMetadata(metadata)));
  }

  private static String evictionMessage(Workload workload) {
    return workload
        .conditions()
        .find(WorkloadConditions.EVICTED)
        .map(Condition::message)
        .orElse("Not admitted by cluster queue");
  }
}
