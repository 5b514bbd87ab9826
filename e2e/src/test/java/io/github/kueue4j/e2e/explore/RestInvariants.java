// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static io.github.kueue4j.e2e.explore.Invariant.require;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Situation;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What must hold wherever the core finds nothing to do. */
final class RestInvariants {
  /** How much earlier than its entry says a delay may end: the trust in a check's clock. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /**
   * The same where dates run ahead of the clock: a second Retry in backoff is dated a second after
   * the one before, and counts from first sight; so does the wait for a check after a reservation
   * that is dated a second after the one before.
   */
  private static final Duration AHEAD = Duration.ofSeconds(10);

  private final Rules rules;

  RestInvariants(Rules rules) {
    this.rules = rules;
  }

  void holds(Situation situation, Around facts, Plan plan) {
    Workload object = situation.workload();
    Phase phase = situation.phase();
    if (phase == Phase.FINISHED) {
      return;
    }
    require(
        object.status().admissionChecks().stream()
            .filter(entry -> entry.is(CheckState.REJECTED))
            .noneMatch(entry -> AnyOf.allReject(situation, entry.name())),
        "1: the core does not act on a Rejected");
    overruled(situation, phase);
    require(
        !Reading.isTrue(object, WorkloadConditions.DEACTIVATION_TARGET),
        "1: the core does not act on an exceeded limit");
    boolean retry = !PatchInvariants.retries(situation).isEmpty();
    require(
        retry || !PatchInvariants.has(object, CheckState.RETRY) || unrequired(situation),
        "R12: the Retry of a check that only observes is not recorded");
    boolean stops = facts.queue() != Around.Queue.RUNS;
    switch (phase) {
      case DEACTIVATED -> {
        require(held(object).startsWith("Deactivated"), "deactivated without its reason");
        require(!Reading.reserved(object) || facts.running(), "deactivated and quota is kept");
      }
      case EVICTING -> require(facts.running(), "3: its owner has stopped and quota is kept");
      case ADMITTED -> {
        require(!retry, "1: admitted, and the core does not act on a Retry");
        require(facts.queue() != Around.Queue.DRAIN, "1: admitted on a drained queue");
        require(
            !rules.pods() || Reading.isTrue(object, WorkloadConditions.PODS_READY) == facts.ready(),
            "KEP-1282: PodsReady says something else than the pods");
      }
      case RESERVED -> {
        require(!retry, "3: reserved, and the core does not act on a Retry");
        require(!stops && !facts.invalid(), "1: reserved, and the core does not withdraw");
        require(waitsForCheck(situation) || facts.victims(), "1: the core does not admit");
        require(
            plan.wakeAt() != null || !rules.pendingTimeouts() || facts.victims(),
            "1: nothing bounds how long a check may hold quota");
        require(
            plan.wakeAt() == null || plan.wakeAt().isAfter(Times.NOW),
            "R10: a timer that is over",
            String.valueOf(plan.wakeAt()));
      }
      case BACKOFF -> {
        backoff(object, plan);
        limited(situation);
      }
      case HELD -> {
        require(held(object).endsWith("QueueStopped"), "1: held for", held(object));
        require(stops, "1: held though its queue runs");
        require(!retry, "1: held with a Retry that nothing ends");
      }
      case QUEUED -> require(Reading.requeueAt(object) == null, "1: queued with a requeueAt");
      case FINISHED -> {}
    }
    require(
        Reading.reserved(object) || !Reading.isTrue(object, WorkloadConditions.PODS_READY),
        "KEP-1282: PodsReady outlives its reservation");
    for (AdmissionCheckState entry : object.status().admissionChecks()) {
      require(
          Reading.reserved(object)
              || !entry.is(CheckState.READY)
              || !CheckKind.of(entry.name()).fenced()
              || countsBeforeQuota(situation, plan, entry),
          "KEP-993: Ready without a reservation:",
          entry);
    }
    if (phase == Phase.BACKOFF || phase == Phase.EVICTING) {
      stored(situation);
    }
  }

  /** R14: without a reservation no Retry or Rejected is left that an alternative overrules. */
  private static void overruled(Situation situation, Phase phase) {
    for (AdmissionCheckState entry : situation.workload().status().admissionChecks()) {
      boolean refuses = entry.is(CheckState.RETRY) || entry.is(CheckState.REJECTED);
      require(
          !refuses
              || Reading.reserved(situation.workload())
              || phase == Phase.DEACTIVATED
              || AnyOf.allRefuse(situation, entry.name()),
          "R14: an answer that an alternative overrules outlives its reservation:",
          entry);
    }
  }

  /**
   * Whether the Retries are those of checks that the queue no longer asks and that are enforced.
   */
  private static boolean unrequired(Situation situation) {
    return PatchInvariants.counting(situation, CheckState.RETRY);
  }

  /**
   * R13: a Ready without a reservation is about a check that is asked before quota now, and young.
   * What another process saw is left to R1, as records of the mode Observe are.
   */
  private static boolean countsBeforeQuota(
      Situation situation, Plan plan, AdmissionCheckState entry) {
    Phase phase = situation.phase();
    ObservedEntries.Wait given = plan.observed().waits().get(entry.name());
    boolean waits = phase == Phase.QUEUED || phase == Phase.HELD;
    if (given == null || !waits || Essence.isRecord(entry)) {
      return Rules.isBeforeQuota(entry.name());
    }
    return situation.checks().beforeQuota().containsKey(entry.name())
        && given.since().plus(Rules.READY_FOR).isAfter(Times.NOW);
  }

  /** Invariant 1: a Retry has a timer, and it lies ahead. */
  private void backoff(Workload object, Plan plan) {
    Instant wakeAt = plan.wakeAt();
    require(wakeAt != null, "1: in backoff without a timer");
    require(wakeAt != null && wakeAt.isAfter(Times.NOW), "1: a timer that is over", wakeAt);
    require(
        wakeAt != null && Times.seconds(wakeAt) <= ahead(object) + rules.longestDelay() + 1,
        "deadline: delayed for longer than any check asked for, until",
        wakeAt);
    require(!held(object).isEmpty(), "R7: in backoff and Requeued isn't False");
    require(
        Objects.equals(wakeAt, Reading.requeueAt(object)),
        "8: the timer isn't set to requeueAt:",
        wakeAt,
        Reading.requeueAt(object));
  }

  /** How far the last reservation is dated ahead, where delays count from it. */
  private static int ahead(Workload object) {
    int ahead = Times.seconds(Reading.quotaReservedDate(object));
    return ahead > AHEAD.toSeconds() ? 0 : Math.max(0, ahead);
  }

  private static void limited(Situation situation) {
    for (AdmissionCheckState entry : PatchInvariants.retries(situation)) {
      require(
          AnyOf.answers(situation, situation.workload(), entry.name()).stream()
              .anyMatch(answer -> mayRetry(situation, answer)),
          "a check may retry more often than its limit:",
          entry);
    }
  }

  /** Whether it is a Retry within its limit. */
  static boolean mayRetry(Situation situation, AdmissionCheckState entry) {
    CheckPolicy policy = situation.required().get(entry.name());
    Integer most = policy == null ? null : policy.limits().maxRetries();
    return entry.is(CheckState.RETRY)
        && (most == null || entry.retryCount() == null || entry.retryCount() < most);
  }

  /** A required check that has an entry and hasn't said Ready, nor has an alternative. */
  private static boolean waitsForCheck(Situation situation) {
    boolean waits = false;
    for (String check : situation.required().keySet()) {
      AdmissionCheckState entry = Space.entry(situation.workload(), check);
      require(
          entry != null || comesAfterOthers(situation, check),
          "1: a required check has no entry to answer in:",
          check);
      if (situation.checks().observed().contains(check)) {
        continue;
      }
      require(
          entry == null || !Essence.isRecord(entry),
          "R12: a record is taken for an answer of a check that is enforced:",
          check);
      if (entry == null || AnyOf.isReady(situation, situation.workload(), check)) {
        continue;
      }
      waits = true;
      require(
          AnyOf.answers(situation, situation.workload(), check).stream()
              .anyMatch(answer -> mayStayPending(situation, answer)),
          "R10: the core does not end the wait for a check that is Pending for too long:",
          check);
    }
    return waits;
  }

  private static boolean mayStayPending(Situation situation, AdmissionCheckState entry) {
    CheckPolicy policy = situation.required().get(entry.name());
    Duration timeout = policy == null ? null : policy.pendingTimeout();
    Instant reserved = Reading.quotaReservedDate(situation.workload());
    Instant since =
        reserved.isAfter(entry.lastTransitionTime()) ? reserved : entry.lastTransitionTime();
    return entry.is(CheckState.PENDING)
        && (timeout == null || since.plus(timeout).isAfter(Times.NOW));
  }

  /** Whether a check that it comes after isn't Ready: then it has no entry, and need have none. */
  static boolean comesAfterOthers(Situation situation, String check) {
    return AnyOf.members(situation, check).stream()
        .flatMap(member -> Stream.ofNullable(situation.required().get(member)))
        .flatMap(policy -> policy.after().stream())
        .filter(other -> situation.required().containsKey(other))
        .filter(other -> !situation.checks().observed().contains(other))
        .anyMatch(other -> !AnyOf.isReady(situation, situation.workload(), other));
  }

  /** Invariant 8: the object alone says until when it is delayed. */
  private void stored(Situation situation) {
    if (rules.skewed() || !rules.settings().acRequeueAfter()) {
      return;
    }
    Workload object = situation.workload();
    Instant latest = null;
    for (AdmissionCheckState entry : PatchInvariants.retries(situation)) {
      Instant until = earliest(situation, entry.name());
      latest = latest == null || (until != null && until.isAfter(latest)) ? until : latest;
    }
    Instant requeueAt = Reading.requeueAt(object);
    boolean pods = Reading.isFalse(object, WorkloadConditions.REQUEUED, "PodsReadyTimeout");
    require(
        agree(requeueAt, latest, pods),
        "8: requeueAt isn't the deadline of the entries:",
        requeueAt,
        latest);
  }

  /** When the first of alternatives may be asked again; null if one may at once. */
  private @Nullable Instant earliest(Situation situation, String check) {
    Instant earliest = null;
    for (AdmissionCheckState entry : AnyOf.answers(situation, situation.workload(), check)) {
      if (entry.is(CheckState.RETRY)) {
        Duration delay = Delays.of(rules, entry);
        if (delay == null) {
          return null;
        }
        Instant until = Delays.roundedUp(entry.lastTransitionTime().plus(delay));
        earliest = earliest == null || until.isBefore(earliest) ? until : earliest;
      }
    }
    return earliest;
  }

  private boolean agree(@Nullable Instant requeueAt, @Nullable Instant deadline, boolean podsToo) {
    if (deadline == null) {
      return requeueAt == null || podsToo;
    }
    return requeueAt != null
        && !requeueAt.isBefore(deadline.minus(tolerance()))
        && (podsToo || rules.mixedDelays() || !requeueAt.isAfter(deadline));
  }

  /**
   * Invariant 8: a core that was killed here and started again has nothing to do either and wakes
   * at the same time, give or take the trust in a check's clock. Known limit: a Retry dated by a
   * clock that is far off, or seen late, below a stored requeueAt, is taken for recorded then.
   */
  void outlivesRestart(Situation situation, Plan plan, Planned restarted) {
    if (rules.skewed() || rules.mixedDelays()) {
      return;
    }
    require(
        restarted.rule() == null
            || restarted.rule() == Rule.LATE_UPDATE
            // It counts from the date of an answer then, and not from when it was seen.
            || (restarted.rule() == Rule.ASK && rules.asksBeforeQuota()),
        "8: at rest, but after a restart",
        restarted.rule());
    Instant wakeAt = plan.wakeAt();
    Instant after = restarted.wakeAt();
    if (restarted.rule() == null) {
      require((wakeAt == null) == (after == null), "8: a restart loses a timer:", wakeAt, after);
    }
    if (wakeAt != null && after != null) {
      Duration tolerance = isSeenLater(plan) ? AHEAD : tolerance();
      require(
          Duration.between(wakeAt, after).abs().compareTo(tolerance) <= 0,
          "8: after a restart the timer is set to",
          after,
          wakeAt);
    }
  }

  private static boolean isSeenLater(Plan plan) {
    return plan.observed().waits().values().stream()
        .anyMatch(wait -> !wait.identity().equals(wait.since()));
  }

  private Duration tolerance() {
    return rules.wakes() ? AHEAD : TOLERANCE;
  }

  private static String held(Workload object) {
    Condition requeued = Reading.condition(object, WorkloadConditions.REQUEUED);
    return requeued != null && requeued.isFalse() ? requeued.reason() : "";
  }
}
