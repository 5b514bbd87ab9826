// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static io.github.kueue4j.e2e.explore.Invariant.require;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.BeforeQuota;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The core: the one worker of the Workload, which carries out the lifecycle's plans and starts and
 * stops the owner, and the scheduler, whose decisions that worker writes.
 */
final class CoreActor {
  /** Patches that a round of retry may take after the eviction: requeue and reserve. */
  private static final int REQUEUE_AND_RESERVE = 2;

  private final Space space;
  private final Rules rules;
  private final Planner planner;

  CoreActor(Space space, Planner planner) {
    this.space = space;
    this.rules = space.rules();
    this.planner = planner;
  }

  void steps(World world, Steps steps) {
    Planned plan = planner.plan(Order.PLAN, world);
    if (world.flight() == Flight.NONE) {
      if (plan.rule() != null) {
        write(world, plan, false, steps);
      } else {
        if (plan.observed() != world.observedEntries()) {
          steps.add("core looks", world.withSightings(plan.observed()), true);
        }
        if (!asks(world, steps)) {
          refusal(world, steps);
        }
        orders(world, plan, steps);
      }
      reservations(world, plan, steps);
    } else {
      Flight flight = space.flight(world);
      steps.add("the core's patch arrives: " + flight.rule(), arrived(world, flight), true);
    }
    if (world.may(Trouble.CRASH)
        && (world.observedEntries() != 0 || world.flight() != Flight.NONE)) {
      World crashed = world.spend(Trouble.CRASH).withSightings(0).withFlight(Flight.NONE);
      Ghost ghost = space.ghost(world);
      // It may correct a deadline by what RestInvariants lets it be off.
      World restarted =
          ghost.counts() ? space.with(crashed, ghost.patches(ghost.patches() + 1)) : crashed;
      steps.add("core restarts", restarted, false);
    }
    owner(world, plan, steps);
  }

  /** What the scheduler decided comes before what the worker would do; so the lifecycle says. */
  private void reservations(World world, Planned plan, Steps steps) {
    if (plan.phase() == Phase.QUEUED) {
      reserve(world, Order.RESERVE, steps);
      if (rules.flavors()) {
        reserve(world, Order.RESERVE_OTHER, steps);
      }
    }
  }

  /** Whether checks are asked before quota; until they have answered the scheduler is not. */
  private boolean asks(World world, Steps steps) {
    Workload object = space.object(world);
    Set<String> checks = rules.beforeQuota(space.around(world)).keySet();
    Planned ask = planner.plan(Order.ASK, world);
    if (ask.rule() != null && ask.after() != world.object()) {
      write(world, ask, false, steps);
      return true;
    }
    boolean queued = ask.phase() == Phase.QUEUED && !checks.isEmpty();
    if (queued && BeforeQuota.open(object, checks)) {
      return false;
    }
    if (queued && space.around(world).queue() == Around.Queue.RUNS) {
      require(CheckStage.asks(object), "R13: not offered to the scheduler, and nothing is asked");
      for (String check : checks) {
        require(
            Space.entry(object, check) != null
                || rules.after(check).stream()
                    .filter(checks::contains)
                    .map(other -> Space.entry(object, other))
                    .anyMatch(other -> other == null || !other.is(CheckState.READY)),
            "R13: no entry to answer in:",
            check);
      }
    }
    return queued;
  }

  private void refusal(World world, Steps steps) {
    Planned refused = planner.plan(Order.NOT_RESERVED, world);
    if (refused.rule() == Rule.NOT_RESERVED && refused.after() != world.object()) {
      write(world, refused, false, steps);
    }
  }

  private void reserve(World world, Order order, Steps steps) {
    Planned plan = planner.plan(order, world);
    if (plan.rule() == Rule.RESERVE) {
      saidReadyBefore(space.ghost(world), rules.beforeQuota(space.around(world)).keySet());
      write(world, plan, false, steps);
      if (world.may(Trouble.VICTIMS)) {
        write(world.spend(Trouble.VICTIMS), plan, true, steps);
      }
    }
  }

  private void orders(World world, Planned plan, Steps steps) {
    boolean reserved = plan.phase() == Phase.RESERVED || plan.phase() == Phase.ADMITTED;
    if (reserved && world.may(Trouble.PREEMPT)) {
      order(world.spend(Trouble.PREEMPT), Order.PREEMPT, steps);
    }
    if (plan.phase() == Phase.ADMITTED && !space.around(world).ready() && world.may(Trouble.PODS)) {
      order(world.spend(Trouble.PODS), Order.PODS_READY_TIMEOUT, steps);
    }
    if (plan.phase() == Phase.ADMITTED && world.may(Trouble.LIMIT)) {
      order(world.spend(Trouble.LIMIT), Order.EXCEED_LIMIT, steps);
    }
    if (space.around(world).running() && world.may(Trouble.FINISH)) {
      order(world.spend(Trouble.FINISH), Order.FINISH, steps);
    }
  }

  private void order(World world, Order order, Steps steps) {
    Planned plan = planner.plan(order, world);
    if (plan.rule() != null) {
      steps.add(plan.step(), carriedOut(world, plan, false), false);
    }
  }

  private void write(World world, Planned plan, boolean victims, Steps steps) {
    steps.add(plan.step(), carriedOut(world, plan, victims), !victims);
    int kept =
        space.number(space.sightings(plan.observed()).orApplied(space.sightings(plan.applied())));
    if (world.may(Trouble.LOST)) {
      World written = carriedOut(world.spend(Trouble.LOST), plan, victims);
      steps.add("an answer is lost: " + plan.rule(), written.withSightings(kept), false);
    }
    if (world.may(Trouble.SLOW)) {
      Flight flight =
          new Flight(
              plan.rule(),
              plan.spec(),
              space.object(plan.after()),
              space.sightings(plan.applied()),
              victims);
      World waits = world.spend(Trouble.SLOW).withSightings(kept).withFlight(space.number(flight));
      steps.add("a patch is sent: " + plan.rule(), waits, false);
    }
  }

  private World arrived(World world, Flight flight) {
    Workload after = Objects.requireNonNull(flight.after());
    ObservedEntries applied = Objects.requireNonNull(flight.applied());
    return carriedOut(
        world,
        Objects.requireNonNull(flight.rule()),
        flight.spec(),
        space.number(after),
        space.number(applied),
        flight.victims(),
        true);
  }

  private World carriedOut(World world, Planned plan, boolean victims) {
    return carriedOut(
        world,
        Objects.requireNonNull(plan.rule()),
        plan.spec(),
        plan.after(),
        plan.applied(),
        victims,
        false);
  }

  /**
   * @param late whether it was decided before the last step, which may have changed a check
   */
  private World carriedOut(
      World world, Rule rule, boolean spec, int after, int applied, boolean victims, boolean late) {
    Workload before = space.object(world);
    Workload written = space.object(after);
    Around around = space.around(world);
    Ghost ghost =
        spec ? space.ghost(world) : seen(space.ghost(world), rule, around, before, written, late);
    if (!spec) {
      inOrder(ghost, around, before, written);
    }
    World changed = space.with(world.written(after).withSightings(applied), ghost);
    for (int check : asked(rule, around, before, written)) {
      changed = space.withEvaluation(changed, check, space.evaluation(world, check).outdated());
      changed = space.with(changed, space.ghost(changed).readyFor(check, false));
    }
    if (rule == Rule.RESERVE) {
      for (int check = 0; check < rules.checks().size(); check++) {
        Evaluation evaluation = space.evaluation(world, check);
        if (evaluation.current()) {
          changed = space.withEvaluation(changed, check, evaluation.outdated());
        }
      }
      around = around.withVictims(victims).withInvalid(false);
    } else if (!Reading.reserved(written)) {
      around = around.withInvalid(false).withVictims(false);
    }
    return space.with(changed, around);
  }

  /** Those that a check comes after have said Ready about what it is asked about. */
  private void inOrder(Ghost ghost, Around around, Workload before, Workload after) {
    for (int check = 0; check < rules.checks().size(); check++) {
      String name = rules.checks().get(check).name();
      AdmissionCheckState entry = Space.entry(after, name);
      boolean asked =
          entry != null
              && Space.entry(before, name) == null
              && (Reading.reserved(after) || CheckStage.asks(after));
      for (int other = 0; other < rules.checks().size(); other++) {
        String first = rules.checks().get(other).name();
        AdmissionCheckState answer = Space.entry(after, first);
        require(
            !asked
                || !rules.after(name).contains(first)
                || !rules.kind(other).fenced()
                || answer == null
                || !answer.is(CheckState.READY)
                || Essence.isRecord(answer)
                || (around.observing() && rules.isLast(other))
                || ghost.isReady(other),
            "order: asked before another said Ready about this:",
            name,
            first);
      }
    }
  }

  /** Updates the observer with a patch of the status, and checks the invariants. */
  private Ghost seen(
      Ghost ghost, Rule rule, Around around, Workload before, Workload after, boolean late) {
    Ghost now = ghost;
    if (rule == Rule.RESERVE) {
      delaysAreOver(ghost, after);
      alternativesMayBeAsked(ghost, around, before, late);
      now = now.withoutReady().withoutDelays();
    } else if (PatchInvariants.FORGETS.contains(rule)) {
      now = now.withoutDelays();
    } else {
      if (rule == Rule.REQUEUE) {
        alternativesMayBeAsked(ghost, around, before, late);
      }
      for (int check = 0; check < rules.checks().size(); check++) {
        AdmissionCheckState entry = Space.entry(after, rules.checks().get(check).name());
        if (entry == null || (entry.is(CheckState.PENDING) && rules.isAlternative(entry.name()))) {
          now = now.word(check, 0);
        }
      }
    }
    if (rule == Rule.PODS_READY_TIMEOUT) {
      now = now.pods(Rules.PODS_BACKOFF);
    }
    if (Reading.admitted(after) && !Reading.admitted(before)) {
      allChecksSaidReady(ghost, after);
    }
    return isOutdated(around, after) || (late && rules.changesChecks())
        ? now.patches(Ghost.NOT_COUNTED)
        : counted(now, rule, before);
  }

  /**
   * Whether the last check was removed, or only observes, since the core planned this: that changes
   * the deadline, and so the round is no longer an undisturbed one.
   */
  private boolean isOutdated(Around around, Workload after) {
    AdmissionCheckState last = Space.entry(after, rules.checks().getLast().name());
    return (around.reduced() || around.observing()) && last != null && last.is(CheckState.RETRY);
  }

  /** The checks before quota to which another question is put now. */
  private List<Integer> asked(Rule rule, Around around, Workload before, Workload after) {
    List<Integer> asked = new ArrayList<>();
    Set<String> names = rules.beforeQuota(around).keySet();
    for (int check = 0; check < rules.checks().size(); check++) {
      String name = rules.checks().get(check).name();
      AdmissionCheckState was = Space.entry(before, name);
      AdmissionCheckState is = Space.entry(after, name);
      if (rule == Rule.ASK
          && is != null
          && is.is(CheckState.PENDING)
          && (was == null
              || was.is(CheckState.READY)
              || (names.contains(name) && !CheckStage.asks(before)))) {
        asked.add(check);
      }
    }
    return asked;
  }

  /** R13: about this spec, and after the last time that it was asked. */
  private void saidReadyBefore(Ghost ghost, Set<String> beforeQuota) {
    for (int check = 0; check < rules.checks().size(); check++) {
      String name = rules.checks().get(check).name();
      require(
          !beforeQuota.contains(name) || !rules.kind(check).fenced() || ghost.isReady(check),
          "R13: reserved before a check said Ready:",
          name);
    }
  }

  /** Invariant 2. */
  private void delaysAreOver(Ghost ghost, Workload after) {
    if (!rules.settings().acRequeueAfter()) {
      return;
    }
    for (int check = 0; check < rules.checks().size(); check++) {
      require(
          ghost.notBefore().get(check) == 0
              || rules.isAlternative(rules.checks().get(check).name())
              || Space.entry(after, rules.checks().get(check).name()) == null,
          "2: reserved before the time that a check asked for, by seconds",
          rules.checks().get(check).name(),
          ghost.notBefore().get(check));
    }
    require(
        ghost.podsNotBefore() == 0,
        "2: reserved before the end of the pods-ready backoff, by seconds",
        ghost.podsNotBefore());
  }

  /**
   * Invariant 2, of alternatives: the delay of one that was asked is over. What was decided earlier
   * may have been decided with the last check or without it.
   */
  private void alternativesMayBeAsked(Ghost ghost, Around around, Workload before, boolean late) {
    boolean without = around.reduced() || around.observing();
    require(
        !rules.settings().acRequeueAfter()
            || mayBeAsked(ghost, before, without)
            || (late && mayBeAsked(ghost, before, !without)),
        "2: queued before the time that the first of alternatives asked for, by seconds",
        ghost.notBefore());
  }

  private boolean mayBeAsked(Ghost ghost, Workload before, boolean withoutLast) {
    boolean asked = false;
    boolean over = false;
    for (int check = 0; check < rules.checks().size(); check++) {
      String name = rules.checks().get(check).name();
      boolean gone = withoutLast && rules.isLast(check);
      if (rules.isAlternative(name) && !gone && Space.entry(before, name) != null) {
        asked = true;
        over |= ghost.notBefore().get(check) == 0;
      }
    }
    return !asked || over;
  }

  /** Invariant 4: for every check that uses the SDK. */
  private void allChecksSaidReady(Ghost ghost, Workload after) {
    for (int check = 0; check < rules.checks().size(); check++) {
      AdmissionCheckState entry = Space.entry(after, rules.checks().get(check).name());
      if (entry != null
          && entry.is(CheckState.READY)
          && !Essence.isRecord(entry)
          && rules.kind(check).fenced()) {
        require(
            ghost.isReady(check),
            "4: a check did not answer Ready for this reservation:",
            entry.name());
      }
    }
  }

  /** Invariant 10. */
  private static Ghost counted(Ghost ghost, Rule rule, Workload before) {
    return switch (rule) {
      case EVICT_FOR_RETRY, PENDING_TIMEOUT ->
          ghost.patches(REQUEUE_AND_RESERVE + (Reading.admitted(before) ? 1 : 0));
      case RESERVE -> {
        spend(ghost, rule);
        yield ghost.patches(Ghost.NOT_COUNTED);
      }
      case RELEASE, LATE_UPDATE, REQUEUE, STRAY_RETRY, ADD_CHECK, REPAIR -> {
        spend(ghost, rule);
        yield ghost.counts() ? ghost.patches(ghost.patches() - 1) : ghost;
      }
      case NOT_RESERVED, PODS_READY, OBSERVE, ASK, SET_ASIDE -> ghost;
      case ADMIT,
          REJECT,
          REACTIVATE,
          DEACTIVATE,
          LIMIT_EXCEEDED,
          WITHDRAW,
          PREEMPT,
          PODS_READY_TIMEOUT,
          DRAIN,
          QUEUE_RESTART,
          FINISH ->
          ghost.patches(Ghost.NOT_COUNTED);
    };
  }

  private static void spend(Ghost ghost, Rule rule) {
    require(!ghost.counts() || ghost.patches() > 0, "10: one patch too many in a round, by", rule);
  }

  /**
   * The worker starts what is admitted and stops what isn't any more. A start that was decided on
   * may come late, when the Workload is already being evicted; never while the worker is writing.
   */
  private void owner(World world, Planned plan, Steps steps) {
    Around around = space.around(world);
    Workload object = space.object(world);
    boolean admitted = plan.phase() == Phase.ADMITTED;
    if (around.running() && !admitted) {
      require(Reading.reserved(object), "9: the owner runs without quota");
      steps.add("owner stops", space.with(world, around.withRunning(false)), true);
    }
    if (!around.running() && world.flight() == Flight.NONE && Reading.reserved(object)) {
      World started = space.with(world, around.withRunning(true));
      if (admitted) {
        steps.add("owner starts", started, true);
      } else if (Reading.admitted(object) && world.may(Trouble.SLOW)) {
        steps.add("owner starts late", started.spend(Trouble.SLOW), false);
      }
    }
  }

  /** The phase, for other actors. */
  Phase phase(World world) {
    return planner.plan(Order.PLAN, world).phase();
  }

  /** Whether a second later the core will take a Pending for a Retry. */
  boolean timesOut(World world) {
    Planned plan = planner.plan(Order.PLAN, world);
    Instant wakeAt = plan.wakeAt();
    return plan.phase() == Phase.RESERVED && wakeAt != null && Times.seconds(wakeAt) <= 1;
  }

  /** Whether this is an acceptable final world: admitted and running, or finished. */
  boolean isGood(World world) {
    Planned plan = planner.plan(Order.PLAN, world);
    return plan.phase() == Phase.FINISHED
        || (plan.phase() == Phase.ADMITTED && plan.rule() == null && space.around(world).running());
  }
}
