// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.jobs.FinishedOwner;
import java.time.Instant;
import java.util.Collection;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The lifecycle of a Workload, as functions from its {@link Situation} to the one next {@link
 * Plan}.
 *
 * <p>All methods are pure. If a rule with higher precedence applies to a Workload that the caller
 * wants to reserve quota for or to preempt, the plan is that rule's; {@link Plan#rule} tells the
 * caller which rule acted.
 *
 * <p>Source: {@code docs/lifecycle.md}, after KEP-993, KEP-1282 and KEP-3258.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Lifecycle {

  /** One row of the table in {@code docs/lifecycle.md}, or a few rows with the same trigger. */
  @FunctionalInterface
  private interface Row {
    @Nullable ProposedWrite decide(SituationView view);
  }

  private static final Row NO_ORDER = view -> null;

  private Lifecycle() {}

  /**
   * Plans the next write, or nothing.
   *
   * @param now the core's own clock
   */
  public static Plan plan(Situation situation, Instant now) {
    return planned(SituationView.of(situation, now), NO_ORDER);
  }

  /**
   * R1: reserves quota if the Workload is Queued and both of its queues run.
   *
   * @param admission the assignment to write
   * @param checks required by the assigned flavors; at most 8
   * @return a plan with {@link Rule#RESERVE}, or that of {@link #plan}
   */
  public static Plan reserve(
      Situation situation, Admission admission, Collection<CheckPolicy> checks, Instant now) {
    SituationView view = SituationView.of(situation, now);
    if (!Reserve.possible(view, checks)
        || first(view, Deactivation::deactivate, Repair::decide) != null) {
      return planned(view, NO_ORDER);
    }
    Situation reserved = situation.withChecks(situation.checks().withAssignment(checks));
    return written(SituationView.of(reserved, now), Reserve.decide(view, admission, checks));
  }

  /** Evicts a Reserved or Admitted Workload so that its quota can go to another. */
  public static Plan preempt(Situation situation, Preemption preemption, Instant now) {
    return planned(SituationView.of(situation, now), view -> Evict.preempt(view, preemption));
  }

  /**
   * Writes to QuotaReserved=False why the scheduler did not reserve quota. Nothing is written if
   * the condition says so already.
   */
  public static Plan notReserved(Situation situation, String reason, String message, Instant now) {
    SituationView view = SituationView.of(situation, now);
    ProposedWrite proposedWrite = decide(view, NO_ORDER);
    return written(
        view,
        proposedWrite == null ? QueueRules.notReserved(view, reason, message) : proposedWrite);
  }

  /**
   * R13: asks the checks before quota that have to be asked. To be called only if nothing else
   * keeps the Workload from being offered to the scheduler.
   *
   * @return a plan with {@link Rule#ASK}, that of {@link #plan}, or nothing
   */
  public static Plan ask(Situation situation, Instant now) {
    SituationView view = SituationView.of(situation, now);
    ProposedWrite proposedWrite = decide(view, NO_ORDER);
    return written(view, proposedWrite == null ? BeforeQuota.ask(view) : proposedWrite);
  }

  /**
   * Writes Finished: the owner finished, its usage no longer counts, and no rule acts afterwards.
   */
  public static Plan finish(Situation situation, FinishedOwner owner, Instant now) {
    SituationView view = SituationView.of(situation, now);
    return written(
        view,
        view.phase() == Phase.FINISHED
            ? null
            : new StatusDraft(view)
                .condition(WorkloadConditions.FINISHED, true, owner.reason(), owner.message())
                .withoutCondition(WorkloadConditions.WITHHELD_CHECKS)
                .withoutCondition(WorkloadConditions.SUSPENSION_UNHEEDED)
                .toWriteKeepingEntries(Rule.FINISH));
  }

  /** The instants at which limits end an admitted Workload's run. */
  public static RunningLimits limits(Situation situation, Instant now) {
    SituationView view = SituationView.of(situation, now);
    return new RunningLimits(PodsReadyRules.due(view), ExecutionTime.due(view));
  }

  /** The precedence: the first row that applies acts. */
  private static @Nullable ProposedWrite decide(SituationView view, Row order) {
    if (view.phase() == Phase.FINISHED) {
      return null;
    }
    return first(
        view,
        Observe::decide, // R12
        Deactivation::reject, // R8
        Deactivation::deactivate, // R11
        Alternatives::setAside, // R14
        Evict::release, // R4 with R5
        order, // preemption
        PodsReadyRules::timeout, // KEP-1282
        ExecutionTime::exceeded,
        QueueRules::drain,
        EvictForRetry::decide, // R10 with R3
        QueueRules::withdraw,
        PodsReadyRules::observe,
        Admit::addChecks,
        Admit::decide, // R2
        Deactivation::reactivate, // R9
        BeforeQuota::reset, // R13
        QueueRules::restart,
        RetryLimits::exceeded,
        Backoff::requeue, // R6
        Backoff::holdForStrayRetry, // R7
        Backoff::followDeadline, // R5
        Repair::decide);
  }

  private static @Nullable ProposedWrite first(SituationView view, Row... rows) {
    for (Row row : rows) {
      ProposedWrite proposedWrite = row.decide(view);
      if (proposedWrite != null) {
        return proposedWrite;
      }
    }
    return null;
  }

  private static Plan planned(SituationView view, Row order) {
    return written(view, decide(view, order));
  }

  private static Plan written(SituationView view, @Nullable ProposedWrite proposedWrite) {
    if (proposedWrite == null) {
      return new Plan.Nothing(waiting(view), wakeAt(view), view.seen());
    }
    SituationView after = view.after(proposedWrite.after(), proposedWrite.applied());
    Instant next = decide(after, NO_ORDER) == null ? wakeAt(after) : view.now();
    return proposedWrite.spec()
        ? new Plan.PatchSpec(
            proposedWrite.rule(), view.workload(), proposedWrite.after(), view.seen(), next)
        : new Plan.PatchStatus(
            proposedWrite.rule(),
            view.workload(),
            proposedWrite.after(),
            view.seen(),
            proposedWrite.applied(),
            next,
            proposedWrite.events(),
            proposedWrite.metrics());
  }

  /** The next instant at which a rule applies although no object changes; null for none. */
  private static @Nullable Instant wakeAt(SituationView view) {
    return switch (view.phase()) {
      case RESERVED -> EvictForRetry.nextTimeout(view);
      case BACKOFF -> Backoff.due(view);
      case ADMITTED -> ApiSeconds.earlierOrNull(PodsReadyRules.due(view), ExecutionTime.due(view));
      case HELD, QUEUED -> BeforeQuota.due(view);
      case FINISHED, DEACTIVATED, EVICTING -> null;
    };
  }

  private static WaitReason waiting(SituationView view) {
    return switch (view.phase()) {
      case FINISHED -> WaitReason.FINISHED;
      case DEACTIVATED ->
          view.conditions().reserved() ? WaitReason.OWNER_TO_STOP : WaitReason.ACTIVATION;
      case EVICTING -> WaitReason.OWNER_TO_STOP;
      case ADMITTED -> WaitReason.OWNER_TO_FINISH;
      case RESERVED -> view.situation().victimsHoldQuota() ? WaitReason.VICTIMS : WaitReason.CHECKS;
      case BACKOFF -> WaitReason.DEADLINE;
      case HELD -> WaitReason.QUEUE;
      case QUEUED -> {
        if (BeforeQuota.waits(view)) {
          yield WaitReason.CHECKS;
        }
        yield view.situation().localQueue().runs() && view.situation().clusterQueue().runs()
            ? WaitReason.QUOTA
            : WaitReason.QUEUE;
      }
    };
  }
}
