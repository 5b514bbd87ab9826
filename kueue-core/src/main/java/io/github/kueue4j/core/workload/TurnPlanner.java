// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.core.lifecycle.WaitReason;
import io.github.kueue4j.core.state.AssumedReservation;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.jobs.FinishedOwner;
import io.github.kueue4j.jobs.JobWorkload;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which of the lifecycle's plans applies to a Workload: its Job's end comes before the
 * scheduler's reservation, that before a preemption, and all of them before what the Workload's own
 * state asks for. Changes nothing.
 */
final class TurnPlanner {
  private final SituationBuilder situations;
  private final Outbox outbox;

  TurnPlanner(SituationBuilder situations, Outbox outbox) {
    this.situations = situations;
    this.outbox = outbox;
  }

  /**
   * Plans the next step. Only a plan that evicts and keeps the quota asks whether anything runs,
   * since that is a request: if nothing does, one patch evicts and releases. If something does, the
   * eviction is written first: a core that takes over in between stops the Job, too, instead of
   * starting it again.
   *
   * @param finished how the Job ended; null while it hasn't
   */
  Plan plan(Turn turn, @Nullable FinishedOwner finished) {
    Plan plan = choose(turn, finished);
    return turn.situation().owner() == Owner.UNKNOWN && evictsAndKeepsQuota(plan)
        ? choose(turn.knowing(turn.job().atRest()), finished)
        : plan;
  }

  private static boolean evictsAndKeepsQuota(Plan plan) {
    return plan instanceof Plan.PatchStatus patch
        && Phase.holdsQuota(patch.after())
        && patch.after().conditions().evicted()
        && !patch.before().conditions().evicted();
  }

  private Plan choose(Turn turn, @Nullable FinishedOwner finished) {
    Situation situation = turn.situation();
    Instant now = turn.now();
    if (finished != null) {
      return Lifecycle.finish(situation, finished, now);
    }
    AssumedReservation reservation = turn.reservation();
    if (reservation != null && situations.unchanged(turn.workload(), reservation.decision())) {
      Admission admission = reservation.decision().admission();
      return Lifecycle.reserve(situation, admission, situations.requiredBy(admission), now);
    }
    PreemptionOrder order = turn.preemption();
    if (order != null && order.concerns(turn.workload())) {
      return Lifecycle.preempt(situation, order.preemption(), now);
    }
    Plan plan = Lifecycle.plan(situation, now);
    // No check is asked about a Workload that can't start.
    if (plan instanceof Plan.Nothing
        || plan.rule() == Rule.ADMIT
        || plan.rule() == Rule.ADD_CHECK) {
      Optional<FinishedOwner> conflict = situations.conflict(situation);
      if (conflict.isPresent()) {
        return Lifecycle.finish(situation, conflict.get(), now);
      }
    }
    if (plan instanceof Plan.Nothing && asksBeforeQuota(turn)) {
      plan = Lifecycle.ask(situation, now);
      if (plan instanceof Plan.Nothing nothing && nothing.waitReason() == WaitReason.CHECKS) {
        return plan;
      }
    }
    if (plan instanceof Plan.Nothing) {
      Optional<Outbox.DuePendingReason> pendingReason =
          pendingReason(turn).filter(due -> !now.isBefore(due.notBefore()));
      if (pendingReason.isPresent()) {
        return Lifecycle.notReserved(
            situation, pendingReason.get().reason(), pendingReason.get().message(), now);
      }
    }
    return plan;
  }

  /** When the reason why a Workload waits is to be written; empty if there is none to write. */
  Optional<Instant> pendingReasonDue(Turn turn) {
    Phase phase = turn.phase();
    return phase == Phase.QUEUED || phase == Phase.HELD
        ? pendingReason(turn).map(Outbox.DuePendingReason::notBefore)
        : Optional.empty();
  }

  /** Whether checks before quota may be asked: nothing else keeps it from being offered. */
  private boolean asksBeforeQuota(Turn turn) {
    Situation situation = turn.situation();
    return !situation.checks().beforeQuota().isEmpty()
        && situation.phase() == Phase.QUEUED
        && QueuePendingReason.keptOut(
                situation, situations.gatedBy(turn.workload()), situations::inactive)
            .isEmpty();
  }

  private Optional<Outbox.DuePendingReason> pendingReason(Turn turn) {
    // What the scheduler found before it left the queue holds no more.
    return Optional.of(turn.key())
        .filter(key -> !JobWorkload.awaitsPods(turn.workload()))
        .flatMap(outbox::pendingReason)
        .or(
            () ->
                QueuePendingReason.of(
                    turn.situation(), situations.gatedBy(turn.workload()), situations::inactive));
  }
}
