// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.api.RequeuingTimestamp;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.AssignmentValidity;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.core.lifecycle.Owner;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.PodsReadiness;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.lifecycle.Preemption;
import io.github.kueue4j.core.lifecycle.QueueSettings;
import io.github.kueue4j.core.lifecycle.RequiredChecks;
import io.github.kueue4j.core.lifecycle.Situation;
import io.github.kueue4j.jobs.FinishedOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks the real lifecycle, once for every distinct question, and holds each answer against the
 * invariants that concern a single patch.
 */
final class Planner {
  static final Admission ALL_CHECKS = admission("all-checks");
  static final Admission FIRST_CHECK_ONLY = admission("first-check-only");

  /** More patches in a row, at one instant, than any chain of rules has. */
  private static final int LONGEST_CHAIN = 8;

  /** Time out only by order; dates of conditions are no part of a world. */
  private static final PodsReadyPolicy PATIENT = podsReady(Duration.ofDays(10_000));

  private static final PodsReadyPolicy IMPATIENT = podsReady(Duration.ofMillis(1));
  private static final Integer ONE_SECOND = 1;
  private static final FinishedOwner SUCCEEDED = new FinishedOwner("Succeeded", "it is done");

  private final Space space;
  private final Rules rules;
  private final PatchInvariants patches;
  private final RestInvariants rest;
  private final Instant coreNow;
  private final Map<Long, Planned> known = new HashMap<>();
  private int chain;

  Planner(Space space) {
    this.space = space;
    this.rules = space.rules();
    this.patches = new PatchInvariants();
    this.rest = new RestInvariants(rules);
    this.coreNow = Times.NOW.plusMillis(rules.coreMillis());
  }

  private static PodsReadyPolicy podsReady(Duration timeout) {
    return new PodsReadyPolicy(
        timeout,
        timeout,
        RequeuingTimestamp.EVICTION,
        1,
        Duration.ofSeconds(Rules.PODS_BACKOFF),
        Duration.ZERO,
        null);
  }

  private static Admission admission(String flavor) {
    return new Admission(
        "cq", List.of(new PodSetAssignment("main", Map.of("cpu", flavor), Map.of(), 1)));
  }

  Planned plan(Order order, World world) {
    return plan(order, world.object(), world.observedEntries(), world.around());
  }

  private Planned plan(Order order, int object, int sightings, int around) {
    long key =
        ((long) order.number() << 60) | ((long) around << 51) | ((long) sightings << 26) | object;
    Planned planned = known.get(key);
    if (planned == null) {
      planned = ask(order, object, sightings, around);
      known.put(key, planned);
    }
    return planned;
  }

  private Planned ask(Order order, int object, int sightings, int around) {
    Around facts = space.around(around);
    ObservedEntries seen =
        order == Order.PLAN_AFTER_RESTART ? ObservedEntries.none() : space.sightings(sightings);
    Situation situation = situation(space.object(object), facts, seen, ownerFor(order, facts));
    Plan plan = answer(order, situation, facts);
    int observed = space.number(plan.observed());
    if (!(plan instanceof Plan.Write write)) {
      Planned nothing =
          new Planned(
              situation.phase(), null, false, object, observed, observed, plan.wakeAt(), "");
      if (order == Order.PLAN) {
        rest.holds(situation, facts, plan);
        rest.outlivesRestart(
            situation, plan, plan(Order.PLAN_AFTER_RESTART, object, sightings, around));
      }
      return nothing;
    }
    int after = space.number(Essence.of(write.after()));
    boolean spec = plan instanceof Plan.PatchSpec;
    ObservedEntries applied =
        plan instanceof Plan.PatchStatus status ? status.applied() : plan.observed();
    if (order != Order.PLAN_AFTER_RESTART) {
      patches.hold(order, situation, facts, write, space.object(after));
    }
    Planned planned =
        new Planned(
            situation.phase(),
            write.rule(),
            spec,
            after,
            observed,
            space.number(applied),
            write.wakeAt(),
            order == Order.PLAN ? "core: " + write.rule() : order + ": " + write.rule());
    if (order == Order.PLAN) {
      comesToRest(planned, around);
    }
    return planned;
  }

  /** Invariant 1: the core's patches come to an end while nothing else happens. */
  private void comesToRest(Planned planned, int around) {
    chain++;
    try {
      Invariant.require(
          chain <= LONGEST_CHAIN, "1: the core patches on and on, now by", planned.rule());
      plan(Order.PLAN, planned.after(), planned.applied(), around);
    } finally {
      chain--;
    }
  }

  /** Only the worker of the owner may say that it has stopped. */
  private static Owner ownerFor(Order order, Around facts) {
    return switch (order) {
      case PLAN, PLAN_AFTER_RESTART, PREEMPT, PODS_READY_TIMEOUT, EXCEED_LIMIT ->
          facts.running() ? Owner.RUNNING : Owner.STOPPED;
      case RESERVE, RESERVE_OTHER, NOT_RESERVED, FINISH, ASK -> Owner.UNKNOWN;
    };
  }

  private Plan answer(Order order, Situation situation, Around facts) {
    return switch (order) {
      case PLAN, PLAN_AFTER_RESTART -> Lifecycle.plan(situation, coreNow);
      case RESERVE -> Lifecycle.reserve(situation, ALL_CHECKS, ofQueue(facts.reduced()), coreNow);
      case RESERVE_OTHER ->
          Lifecycle.reserve(
              situation, FIRST_CHECK_ONLY, List.of(rules.checks().getFirst()), coreNow);
      case NOT_RESERVED -> Lifecycle.notReserved(situation, "NoQuota", "no quota", coreNow);
      case PREEMPT ->
          Lifecycle.preempt(situation, new Preemption("InClusterQueue", "for another"), coreNow);
      case PODS_READY_TIMEOUT ->
          Lifecycle.plan(situation.withReadiness(readiness(IMPATIENT, facts)), coreNow);
      case EXCEED_LIMIT ->
          Lifecycle.plan(situation.withWorkload(limited(situation.workload())), coreNow);
      case FINISH -> Lifecycle.finish(situation, SUCCEEDED, coreNow);
      case ASK -> Lifecycle.ask(situation, coreNow);
    };
  }

  private static Workload limited(Workload object) {
    return object.withSpec(object.spec().withMaximumExecutionTimeSeconds(ONE_SECOND));
  }

  private static PodsReadiness readiness(PodsReadyPolicy policy, Around facts) {
    return new PodsReadiness(
        policy, facts.ready() ? PodsReadiness.Pods.READY : PodsReadiness.Pods.NOT_READY);
  }

  private List<CheckPolicy> ofQueue(boolean reduced) {
    List<CheckPolicy> checks = rules.checks();
    return reduced ? checks.subList(0, checks.size() - 1) : checks;
  }

  private Situation situation(Workload object, Around facts, ObservedEntries seen, Owner owner) {
    return Situation.of(object, localQueue(facts), clusterQueue(facts), required(object, facts))
        .withAssignment(
            facts.invalid()
                ? AssignmentValidity.invalid("NoMatchingFlavor", "the flavor is gone")
                : AssignmentValidity.valid())
        .withOwner(owner)
        .withVictimsHoldQuota(facts.victims())
        .withSettings(rules.settings())
        .withReadiness(rules.pods() ? readiness(PATIENT, facts) : PodsReadiness.NOT_ASKED)
        .withObservedEntries(seen);
  }

  private RequiredChecks required(Workload object, Around facts) {
    List<CheckPolicy> byQueue =
        facts.queue() == Around.Queue.GONE ? List.of() : ofQueue(facts.reduced());
    Admission admission = object.status().admission();
    Set<String> observed = facts.observing() ? Set.of(rules.checks().getLast().name()) : Set.of();
    boolean firstOnly = FIRST_CHECK_ONLY.equals(admission) && !byQueue.isEmpty();
    return RequiredChecks.of(firstOnly ? byQueue.subList(0, 1) : byQueue, byQueue)
        .observing(observed)
        .askingBeforeQuota(rules.beforeQuota(facts));
  }

  private static QueueSettings localQueue(Around facts) {
    return facts.queue() == Around.Queue.LOCAL_HOLD
        ? QueueSettings.stopped("lq", StopPolicy.HOLD)
        : QueueSettings.running("lq");
  }

  private static QueueSettings clusterQueue(Around facts) {
    return switch (facts.queue()) {
      case RUNS, LOCAL_HOLD -> QueueSettings.running("cq");
      case HOLD -> QueueSettings.stopped("cq", StopPolicy.HOLD);
      case DRAIN -> QueueSettings.stopped("cq", StopPolicy.HOLD_AND_DRAIN);
      case GONE -> QueueSettings.missing("cq");
    };
  }
}
