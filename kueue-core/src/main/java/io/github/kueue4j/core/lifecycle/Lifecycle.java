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
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.util.Collection;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The life of a Workload: from what is known about it to the one thing to do next.
 *
 * <p>All methods are pure. Where an order (to reserve, to preempt, ...) meets a Workload to which
 * another rule applies first, the plan is that rule's; callers tell by {@link Plan#rule}.
 *
 * <p>Source: {@code docs/lifecycle.md}, after KEP-993, KEP-1282 and KEP-3258.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Lifecycle {

  /** One row of the table, or a few that share a trigger: a decision, or null if it doesn't act. */
  @FunctionalInterface
  private interface Row {
    @Nullable Decision decide(View view);
  }

  private static final Row NO_ORDER = view -> null;

  private Lifecycle() {}

  /**
   * What to do next.
   *
   * @param now the core's own clock
   */
  public static Plan plan(Situation situation, Instant now) {
    return planned(View.of(situation, now), NO_ORDER);
  }

  /**
   * R1: reserves quota if the Workload is Queued and both of its queues run.
   *
   * @param admission the assignment
   * @param checks required by the assigned flavors; at most 8
   * @return a plan with {@link Rule#RESERVE}, or what {@link #plan} says
   */
  public static Plan reserve(
      Situation situation, Admission admission, Collection<CheckPolicy> checks, Instant now) {
    View view = View.of(situation, now);
    if (!Reserve.possible(view, checks)
        || first(view, Deactivation::deactivate, Mend::decide) != null) {
      return planned(view, NO_ORDER);
    }
    Situation reserved = situation.withChecks(situation.checks().withAssignment(checks));
    return written(View.of(reserved, now), Reserve.decide(view, admission, checks));
  }

  /** Evicts a Reserved or Admitted Workload to make room for another. */
  public static Plan preempt(Situation situation, Preemption preemption, Instant now) {
    return planned(View.of(situation, now), view -> Evict.preempt(view, preemption));
  }

  /**
   * Says in QuotaReserved=False why the scheduler did not reserve. Nothing is written if it says so
   * already.
   */
  public static Plan notReserved(Situation situation, String reason, String message, Instant now) {
    View view = View.of(situation, now);
    Decision decision = decide(view, NO_ORDER);
    return written(view, decision == null ? Queues.notReserved(view, reason, message) : decision);
  }

  /** The owner finished: nothing acts afterwards, usage is free. */
  public static Plan finish(Situation situation, FinishedOwner owner, Instant now) {
    View view = View.of(situation, now);
    return written(
        view,
        view.phase() == Phase.FINISHED
            ? null
            : new StatusDraft(view)
                .condition(WorkloadConditions.FINISHED, true, owner.reason(), owner.message())
                .asIs(Rule.FINISH));
  }

  /** Until when the Workload, if it is admitted, may go on as it is. */
  public static RunningLimits limits(Situation situation, Instant now) {
    View view = View.of(situation, now);
    return new RunningLimits(PodsReady.due(view), ExecutionTime.due(view));
  }

  /** The precedence: the first row that applies acts. */
  private static @Nullable Decision decide(View view, Row order) {
    if (view.phase() == Phase.FINISHED) {
      return null;
    }
    return first(
        view,
        Deactivation::reject, // R8
        Deactivation::deactivate, // R11
        Evict::release, // R4 with R5
        order, // preemption
        PodsReady::timeout, // KEP-1282
        ExecutionTime::exceeded,
        Queues::drain,
        EvictForRetry::decide, // R10 with R3
        Queues::withdraw,
        PodsReady::observe,
        Admit::addChecks,
        Admit::decide, // R2
        Deactivation::reactivate, // R9
        Queues::restart,
        Backoff::requeue, // R6
        Backoff::holdForStrayRetry, // R7
        Backoff::followDeadline, // R5
        Mend::decide);
  }

  private static @Nullable Decision first(View view, Row... rows) {
    for (Row row : rows) {
      Decision decision = row.decide(view);
      if (decision != null) {
        return decision;
      }
    }
    return null;
  }

  private static Plan planned(View view, Row order) {
    return written(view, decide(view, order));
  }

  private static Plan written(View view, @Nullable Decision decision) {
    if (decision == null) {
      return new Plan.Nothing(waiting(view), wakeAt(view), view.seen());
    }
    View after = view.after(decision.after(), decision.applied());
    Instant next = decide(after, NO_ORDER) == null ? wakeAt(after) : view.now();
    return decision.spec()
        ? new Plan.PatchSpec(decision.rule(), view.workload(), decision.after(), view.seen(), next)
        : new Plan.PatchStatus(
            decision.rule(),
            view.workload(),
            decision.after(),
            view.seen(),
            decision.applied(),
            next,
            decision.events(),
            decision.facts());
  }

  /** When time alone makes a rule apply. */
  private static @Nullable Instant wakeAt(View view) {
    return switch (view.phase()) {
      case RESERVED -> EvictForRetry.nextTimeout(view);
      case BACKOFF -> Backoff.due(view);
      case ADMITTED -> Stamps.earlierOrNull(PodsReady.due(view), ExecutionTime.due(view));
      case FINISHED, DEACTIVATED, EVICTING, HELD, QUEUED -> null;
    };
  }

  private static Waiting waiting(View view) {
    return switch (view.phase()) {
      case FINISHED -> Waiting.FINISHED;
      case DEACTIVATED -> view.reading().reserved() ? Waiting.OWNER_TO_STOP : Waiting.ACTIVATION;
      case EVICTING -> Waiting.OWNER_TO_STOP;
      case ADMITTED -> Waiting.OWNER_TO_FINISH;
      case RESERVED -> view.situation().victimsHoldQuota() ? Waiting.VICTIMS : Waiting.CHECKS;
      case BACKOFF -> Waiting.DEADLINE;
      case HELD -> Waiting.QUEUE;
      case QUEUED ->
          view.situation().localQueue().runs() && view.situation().clusterQueue().runs()
              ? Waiting.QUOTA
              : Waiting.QUEUE;
    };
  }
}
