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
package io.github.kueue4j.core.lifecycle.explore;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.Lifecycle;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must always hold ({@code docs/lifecycle.md}, by number), of every patch and every world. */
final class Invariants {
  /**
   * How much earlier than its entry says a delay may end. A reservation is dated a second after the
   * one before, so its date, and that of a verdict upon it, can run ahead of the clock; the delay
   * still counts from first sight.
   */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /** Invariant 7: the rules that may change a check's entry. */
  private static final Set<Rule> MAY_CHANGE_ENTRIES =
      EnumSet.of(
          Rule.RESERVE,
          Rule.ADMIT,
          Rule.EVICT_FOR_RETRY,
          Rule.RELEASE,
          Rule.LATE_UPDATE,
          Rule.REQUEUE,
          Rule.STRAY_RETRY,
          Rule.REJECT,
          Rule.REACTIVATE,
          Rule.PENDING_TIMEOUT,
          Rule.DEACTIVATE,
          // These record delays as R5 does, in the patch that would make R5 follow.
          Rule.PREEMPT,
          Rule.PODS_READY_TIMEOUT,
          Rule.DRAIN);

  /** The rules that forget delays: the user or a rejection has the last word. */
  private static final Set<Rule> FORGETS_DELAYS =
      EnumSet.of(Rule.REJECT, Rule.DEACTIVATE, Rule.REACTIVATE);

  private Invariants() {}

  /** Fails unless {@code holds}, saying which invariant and with which facts. */
  static void require(boolean holds, String invariant, Object... facts) {
    if (!holds) {
      throw new ViolatedInvariantException(
          facts.length == 0 ? invariant : invariant + ": " + Arrays.asList(facts));
    }
  }

  /** A patch of the core, before it is applied to {@code world}. */
  static void patch(World world, Plan.Write write) {
    Workload before = world.workload();
    Workload after = write.after();
    require(!after.equals(before), "a patch that changes nothing", write.rule());
    if (write instanceof Plan.PatchSpec) {
      require(after.status().equals(before.status()), "a spec patch changes the status");
      return;
    }
    require(after.spec().equals(before.spec()), "a status patch changes the spec");
    times(before, after);
    entries(world, write);
    if (write.rule() == Rule.RESERVE) {
      reservation(world);
    }
    if (isTrue(after, WorkloadConditions.ADMITTED)
        && !isTrue(before, WorkloadConditions.ADMITTED)) {
      admission(world, after);
    }
    if (isTrue(before, WorkloadConditions.QUOTA_RESERVED)
        && !isTrue(after, WorkloadConditions.QUOTA_RESERVED)) {
      require(!world.running(), "quota is released while the owner runs", write.rule());
    }
  }

  private static void times(Workload before, Workload after) {
    Instant reservedBefore = ltt(before, WorkloadConditions.QUOTA_RESERVED);
    Instant reservedAfter = ltt(after, WorkloadConditions.QUOTA_RESERVED);
    require(!reservedAfter.isBefore(reservedBefore), "the time of QuotaReserved moves back");
    for (Condition condition : after.status().conditions()) {
      Condition old = Conditions.find(before.status().conditions(), condition.type()).orElse(null);
      boolean moved =
          old == null || !old.lastTransitionTime().equals(condition.lastTransitionTime());
      if (moved) {
        require(
            old == null || !old.status().equals(condition.status()),
            "a time moves without its state",
            condition.type());
        require(
            !condition.lastTransitionTime().isBefore(reservedBefore),
            "a condition is dated before the reservation",
            condition.type());
      }
    }
  }

  /** Invariants 5, 6 and 7. */
  private static void entries(World world, Plan.Write write) {
    Rule rule = write.rule();
    for (AdmissionCheckState before : world.workload().status().admissionChecks()) {
      AdmissionCheckState after = write.after().status().admissionCheck(before.name()).orElse(null);
      require(after != null, "a required entry is removed", rule, before.name());
      if (after == null || after.equals(before)) {
        continue;
      }
      require(
          MAY_CHANGE_ENTRIES.contains(rule),
          "7: a rule changes an entry that must not",
          rule,
          before.name());
      if (before.is(CheckState.REJECTED)) {
        require(
            rule == Rule.REJECT && !world.workload().spec().active(),
            "5: a Rejected is erased",
            rule);
      }
      boolean resets = before.is(CheckState.RETRY) && after.is(CheckState.PENDING);
      int counted = count(before);
      if (resets && !FORGETS_DELAYS.contains(rule)) {
        require(
            rule == Rule.REQUEUE || rule == Rule.EVICT_FOR_RETRY || rule == Rule.PENDING_TIMEOUT,
            "6: a Retry is reset without being counted",
            rule);
        require(
            count(after) == counted + 1,
            "6: retryCount before and after a reset",
            counted,
            count(after));
      } else if (!FORGETS_DELAYS.contains(rule)) {
        boolean succeeded = before.is(CheckState.READY);
        boolean timedOut = rule == Rule.PENDING_TIMEOUT && count(after) == counted + 1;
        require(
            count(after) == counted || (succeeded && count(after) == 0) || timedOut,
            "6: a rule changes retryCount",
            rule,
            count(after),
            counted);
      }
    }
  }

  /** Invariant 2. */
  private static void reservation(World world) {
    if (!world.rules().settings().acRequeueAfter()) {
      return;
    }
    for (Map.Entry<String, Integer> word : world.ghost().notBefore().entrySet()) {
      require(
          world.seconds() >= word.getValue(),
          "2: quota is reserved at a second before the one that a check asked for",
          world.seconds(),
          word.getKey(),
          word.getValue());
    }
    require(
        world.seconds() >= world.ghost().podsNotBefore(),
        "2: quota is reserved before the end of the pods-ready backoff",
        world.seconds(),
        world.ghost().podsNotBefore());
  }

  /** Invariant 4. */
  private static void admission(World world, Workload after) {
    require(world.clusterQueue().equals(StopPolicy.NONE), "admitted on a stopped queue");
    for (AdmissionCheckState entry : after.status().admissionChecks()) {
      require(entry.is(CheckState.READY), "4: admitted while a check is not Ready", entry.name());
      if (entry.name().startsWith("sdk")) {
        require(
            world.ghost().isReadyNow(entry.name()),
            "4: a check did not answer Ready for this reservation",
            entry.name());
      }
    }
  }

  /** What an observer knows after a patch of the core. */
  static World.Ghost ghost(World world, Plan.Write write) {
    World.Ghost ghost = world.ghost();
    if (write instanceof Plan.PatchStatus && FORGETS_DELAYS.contains(write.rule())) {
      return ghost.withoutDelays();
    }
    if (write.rule() == Rule.RESERVE) {
      return ghost.reserved();
    }
    if (write.rule() == Rule.PODS_READY_TIMEOUT) {
      RequeueState state =
          Objects.requireNonNull(write.after().status().requeueState(), "requeueState");
      return ghost.podsNotBefore(
          world.secondsOf(Objects.requireNonNull(state.requeueAt(), "requeueAt")));
    }
    return ghost;
  }

  /** What holds of every world, whatever led to it. */
  static void world(World world) {
    Phase phase = world.phase();
    if (world.running()) {
      require(world.reserved(), "the owner runs without quota");
    }
    Plan plan = Lifecycle.plan(world.situation(world.workload()), world.coreNow());
    if (phase == Phase.RESERVED && inRetry(world)) {
      Workload after = plan instanceof Plan.Write write ? write.after() : world.workload();
      boolean rejected =
          world.workload().status().admissionChecks().stream()
              .anyMatch(entry -> entry.is(CheckState.REJECTED));
      require(
          rejected || !Phase.holdsQuota(after),
          "3: quota isn't free one reconcile after a Retry is seen");
    }
    if (plan instanceof Plan.Nothing && (phase == Phase.BACKOFF || phase == Phase.EVICTING)) {
      stored(world, plan);
    }
  }

  /** Invariant 8: at rest, the object alone says until when it is delayed. */
  private static void stored(World world, Plan plan) {
    if (world.rules().skewed() || !world.rules().settings().acRequeueAfter()) {
      return;
    }
    Instant latest = null;
    for (AdmissionCheckState entry : world.workload().status().admissionChecks()) {
      Integer delay = entry.requeueAfterSeconds();
      if (entry.is(CheckState.RETRY) && delay != null) {
        Instant until = entry.lastTransitionTime().plusSeconds(delay);
        latest = latest == null || until.isAfter(latest) ? until : latest;
      }
    }
    RequeueState state = world.workload().status().requeueState();
    Instant requeueAt = state == null ? null : state.requeueAt();
    boolean pods =
        Conditions.is(
            world.workload().status().conditions(),
            WorkloadConditions.REQUEUED,
            Condition.FALSE,
            "PodsReadyTimeout");
    require(
        agree(requeueAt, latest, pods),
        "8: requeueAt isn't the deadline of the entries",
        "requeueAt " + requeueAt,
        "deadline " + latest);
    if (world.phase() == Phase.BACKOFF) {
      require(
          Objects.equals(plan.wakeAt(), requeueAt), "8: the timer isn't set to requeueAt", plan);
    }
  }

  private static boolean agree(
      @Nullable Instant requeueAt, @Nullable Instant deadline, boolean podsToo) {
    if (deadline == null) {
      return requeueAt == null || podsToo;
    }
    return requeueAt != null
        && !requeueAt.isBefore(deadline.minus(TOLERANCE))
        && (podsToo || !requeueAt.isAfter(deadline));
  }

  /** What holds of a world at its end: nobody's word is left without an answer. */
  static void settled(World world) {
    for (AdmissionCheckState entry : world.workload().status().admissionChecks()) {
      require(
          !entry.is(CheckState.RETRY) && !entry.is(CheckState.REJECTED),
          "1: an admitted workload keeps a verdict that nobody acts on",
          entry);
    }
    require(
        !isTrue(world.workload(), WorkloadConditions.DEACTIVATION_TARGET),
        "1: a limit was exceeded and nobody acts on it");
    require(
        !world.clusterQueue().equals(StopPolicy.HOLD_AND_DRAIN),
        "1: an admitted workload stays on a drained queue");
  }

  private static boolean inRetry(World world) {
    return world.workload().status().admissionChecks().stream()
        .anyMatch(entry -> entry.is(CheckState.RETRY));
  }

  private static boolean isTrue(Workload workload, String type) {
    return Conditions.isTrue(workload.status().conditions(), type);
  }

  private static Instant ltt(Workload workload, String type) {
    return Conditions.find(workload.status().conditions(), type)
        .map(Condition::lastTransitionTime)
        .orElse(Instant.EPOCH);
  }

  private static int count(AdmissionCheckState entry) {
    return entry.retryCount() == null ? 0 : entry.retryCount();
  }
}
