// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import static io.github.kueue4j.e2e.explore.Invariant.require;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckStage;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.BeforeQuota;
import io.github.kueue4j.core.lifecycle.CheckPolicy;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.lifecycle.Plan;
import io.github.kueue4j.core.lifecycle.Rule;
import io.github.kueue4j.core.lifecycle.Situation;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What must hold of every patch of the core, whatever led to it. */
final class PatchInvariants {

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
          Rule.OBSERVE,
          Rule.ASK,
          Rule.SET_ASIDE,
          // These may end the reservation, and record delays as R5 does.
          Rule.PREEMPT,
          Rule.PODS_READY_TIMEOUT,
          Rule.DRAIN,
          Rule.WITHDRAW);

  /** The rules that reset entries without counting: the user or a rejection has the last word. */
  static final Set<Rule> FORGETS = EnumSet.of(Rule.REJECT, Rule.DEACTIVATE, Rule.REACTIVATE);

  /** What comes before the eviction for a Retry. */
  private static final Set<Rule> FIRST =
      EnumSet.of(Rule.OBSERVE, Rule.REJECT, Rule.DEACTIVATE, Rule.LIMIT_EXCEEDED);

  /** The only order whose answer comes from the worker that also stops the owner. */
  private static final Set<Order> WORKER = EnumSet.of(Order.PLAN);

  /**
   * @param after the essence of the object as it shall be
   */
  void hold(Order order, Situation situation, Around facts, Plan.Write write, Workload after) {
    Rule rule = write.rule();
    Workload before = situation.workload();
    require(situation.phase() != Phase.FINISHED, "a finished workload is patched by", rule);
    require(rule != Rule.REPAIR, "the core mends what it wrote itself:", write.after().status());
    require(
        !after.equals(before) || rule == Rule.NOT_RESERVED || rule == Rule.ASK,
        "a patch that changes nothing but words:",
        rule);
    observed(situation, rule, before, after);
    if (write instanceof Plan.PatchSpec) {
      require(after.status().equals(before.status()), "a spec patch changes the status:", rule);
      require(before.spec().active(), "the core activates a workload:", rule);
      return;
    }
    require(after.spec().equals(before.spec()), "a status patch changes the spec:", rule);
    require(
        rule != Rule.LIMIT_EXCEEDED || order != Order.PLAN || isExhausted(situation),
        "a limit of Retries deactivates though an alternative may go on");
    times(before, write.after());
    rejected(situation, rule);
    for (AdmissionCheckState entry : before.status().admissionChecks()) {
      entry(situation, write, entry);
    }
    for (CheckPolicy check : situation.checks().byQueue().values()) {
      remembered(check.name(), rule, before, write.after());
      inOrder(check, situation, before, write.after());
    }
    if (rule == Rule.RESERVE) {
      reservation(situation, facts, after);
    }
    require(
        rule != Rule.LATE_UPDATE || situation.phase() != Phase.QUEUED,
        "the core tells of a stray requeueAt that it left behind itself");
    require(
        !FORGETS.contains(rule) || Reading.admitted(before) || !Reading.reserved(after),
        "quota that nothing runs on outlives a deactivation, by",
        rule);
    require(
        !FORGETS.contains(rule) || Reading.requeueAt(after) == null,
        "a requeueAt outlives a deactivation, by",
        rule);
    if (rule == Rule.REQUEUE) {
      require(
          after.status().admissionChecks().stream().allMatch(one -> one.is(CheckState.PENDING)),
          "R6: requeued with an entry that is not Pending");
    }
    if (rule == Rule.QUEUE_RESTART) {
      boolean local = Reading.isFalse(before, WorkloadConditions.REQUEUED, "LocalQueueStopped");
      boolean runs =
          facts.queue() == Around.Queue.RUNS || local != (facts.queue() == Around.Queue.LOCAL_HOLD);
      require(runs, "a queue is restarted that is stopped:", facts.queue());
    }
    if (Reading.admitted(after) && !Reading.admitted(before)) {
      admission(situation, facts, rule, after);
    }
    if (Reading.reserved(before) && !Reading.reserved(after)) {
      require(!facts.running(), "9: quota is released while the owner runs, by", rule);
      require(after.status().admission() == null, "released with an admission left, by", rule);
      require(!Reading.admitted(after), "released and still admitted, by", rule);
      require(!has(after, CheckState.READY), "KEP-993: a Ready outlives its reservation, by", rule);
    }
    if (WORKER.contains(order)) {
      quotaIsFreed(situation, facts, after, rule);
    }
  }

  /** Whether a check has come to its limit of Retries, and so have its alternatives. */
  private static boolean isExhausted(Situation situation) {
    return retries(situation).stream()
        .anyMatch(
            entry ->
                AnyOf.answers(situation, situation.workload(), entry.name()).stream()
                    .noneMatch(answer -> RestInvariants.mayRetry(situation, answer)));
  }

  /**
   * {@code docs/lifecycle.md#dates}: every date is max(now, QuotaReserved's), and moves only with
   * its state.
   */
  private static void times(Workload before, Workload written) {
    Instant reservedBefore = Reading.quotaReservedDate(before);
    Instant reservedAfter = Reading.quotaReservedDate(written);
    require(!reservedAfter.isBefore(reservedBefore), "the date of QuotaReserved moves back");
    for (Condition condition : written.status().conditions()) {
      Condition old = Reading.condition(before, condition.type());
      if (old == null || !old.lastTransitionTime().equals(condition.lastTransitionTime())) {
        require(
            old == null
                || !old.status().equals(condition.status())
                // Its date is that of what it remembers.
                || condition.type().equals(WorkloadConditions.WITHHELD_CHECKS),
            "a date moves without its state:",
            condition.type());
        require(
            !condition.lastTransitionTime().isBefore(reservedAfter),
            "a condition is dated before the reservation:",
            condition.type());
      }
    }
  }

  /** What only observes evicts, delays and rejects nothing, and R12 does nothing but record. */
  private static void observed(Situation situation, Rule rule, Workload before, Workload after) {
    require(
        rule != Rule.OBSERVE
            || after
                .status()
                .withAdmissionChecks(before.status().admissionChecks())
                .equals(before.status()),
        "R12: a record changes more than its entry");
    require(
        rule != Rule.OBSERVE
            || situation.phase() != Phase.ADMITTED
            || after.status().admissionChecks().stream()
                .allMatch(
                    entry ->
                        entry.is(CheckState.READY)
                            || entry.equals(Space.entry(before, entry.name()))),
        "R12: what is admitted is asked about again");
    require(
        rule != Rule.REJECT
            || situation.phase() == Phase.DEACTIVATED
            || counting(situation, CheckState.REJECTED),
        "R12: a check that only observes rejects");
    require(
        rule != Rule.EVICT_FOR_RETRY || !retries(situation).isEmpty(),
        "R12: a check that only observes evicts");
    require(
        rule != Rule.PENDING_TIMEOUT
            || situation.required().values().stream()
                .anyMatch(
                    check ->
                        check.pendingTimeout() != null
                            && !situation.checks().observed().contains(check.name())),
        "R12: a check that only observes times out");
  }

  /** Whether an entry has this state whose check is enforced; a Rejected, whether it is final. */
  static boolean counting(Situation situation, CheckState state) {
    return situation.workload().status().admissionChecks().stream()
        .filter(entry -> entry.is(state) && !situation.checks().observed().contains(entry.name()))
        .anyMatch(
            entry -> !entry.is(CheckState.REJECTED) || AnyOf.allReject(situation, entry.name()));
  }

  /** R8: never (b) before (a). */
  private static void rejected(Situation situation, Rule rule) {
    Workload before = situation.workload();
    boolean rejected = counting(situation, CheckState.REJECTED) && rule != Rule.OBSERVE;
    require(
        !rejected || rule == Rule.FINISH || (rule == Rule.REJECT && !before.spec().active()),
        "5: with a Rejected entry there the status is patched by",
        rule);
  }

  /** Invariants 5, 6 and 7. */
  private static void entry(Situation situation, Plan.Write write, AdmissionCheckState before) {
    Rule rule = write.rule();
    AdmissionCheckState after = Space.entry(write.after(), before.name());
    boolean required = situation.required().containsKey(before.name());
    boolean rejects =
        before.is(CheckState.REJECTED)
            && !situation.checks().observed().contains(before.name())
            && AnyOf.allReject(situation, before.name());
    if (after == null) {
      Integer kept = Reading.withheldCount(write.after(), before.name());
      require(
          !required
              || kept != null
              || isOverruled(situation, rule, write.after(), before)
              || (rule == Rule.RESERVE
                  && Planner.FIRST_CHECK_ONLY.equals(write.after().status().admission())),
          "a required entry is removed by",
          rule);
      require(
          kept == null || kept == countKept(situation, before, rule),
          "6: wrong count of retries of a check that is withheld by",
          rule,
          before,
          kept);
      require(!rejects || rule == Rule.REJECT, "5: a Rejected is removed by", rule);
      require(
          !required || !counted(situation, before) || rule == Rule.RESERVE,
          "2: a refusal that counted is removed by",
          rule,
          before);
      return;
    }
    if (FORGETS.contains(rule)) {
      require(
          after.is(CheckState.PENDING)
              && after.retryCount() == null
              && after.requeueAfterSeconds() == null,
          "an entry is not reset by",
          rule,
          after);
      return;
    }
    require(
        !counted(situation, before)
            || !refuses(after)
            || counted(situation.withWorkload(write.after()), after),
        "2: a refusal that counted is overruled by",
        rule,
        before);
    if (after.equals(before)) {
      return;
    }
    require(MAY_CHANGE_ENTRIES.contains(rule), "7: an entry is changed by", rule, before, after);
    require(!rejects || rule == Rule.REJECT, "5: a Rejected is erased by", rule);
    require(
        !after.lastTransitionTime().isBefore(Reading.quotaReservedDate(situation.workload()))
            || after.lastTransitionTime().equals(before.lastTransitionTime()),
        "an entry is dated before the reservation by",
        rule);
    boolean readyBefore =
        before.is(CheckState.READY)
            && !Reading.reserved(situation.workload())
            && situation.checks().beforeQuota().containsKey(before.name());
    require(
        readyBefore ? count(after) == count(before) : counts(before, after, rule),
        "6: wrong count of retries after",
        rule,
        before,
        after);
  }

  /** Whether the Workload is admitted with an alternative. */
  private static boolean isOverruled(
      Situation situation, Rule rule, Workload after, AdmissionCheckState entry) {
    return rule == Rule.ADMIT
        && AnyOf.members(situation, entry.name()).size() > 1
        && AnyOf.isReady(situation, after, entry.name());
  }

  /** Whether it is a Retry or Rejected that no alternative overrules. */
  private static boolean counted(Situation situation, AdmissionCheckState entry) {
    return refuses(entry) && AnyOf.allRefuse(situation, entry.name());
  }

  private static boolean refuses(AdmissionCheckState entry) {
    return entry.is(CheckState.RETRY) || entry.is(CheckState.REJECTED);
  }

  /** The count that is remembered of an entry that is removed; a Retry is set aside by that. */
  private static int countKept(Situation situation, AdmissionCheckState before, Rule rule) {
    if (before.is(CheckState.RETRY) && rule != Rule.RESERVE) {
      return count(before) + 1;
    }
    return succeeded(situation, before, rule) ? 0 : count(before);
  }

  private static boolean succeeded(Situation situation, AdmissionCheckState before, Rule rule) {
    return (rule == Rule.RESERVE ? !before.is(CheckState.PENDING) : before.is(CheckState.READY))
        && !situation.checks().beforeQuota().containsKey(before.name());
  }

  /** Invariant 6, of a check that has no entry since it comes after others. */
  private static void remembered(String check, Rule rule, Workload before, Workload after) {
    require(
        Space.entry(after, check) == null || Reading.withheldCount(after, check) == null,
        "order: a check has an entry and is withheld:",
        check);
    require(
        !FORGETS.contains(rule) || Reading.withheldCount(after, check) == null,
        "6: the count of a check that is withheld outlives a deactivation:",
        check);
    Integer was = Reading.withheldCount(before, check);
    if (was == null || FORGETS.contains(rule) || rule == Rule.ADMIT) {
      return;
    }
    AdmissionCheckState entry = Space.entry(after, check);
    Integer is = entry == null ? Reading.withheldCount(after, check) : (Integer) count(entry);
    require(
        Objects.equals(is, was)
            || (rule == Rule.RESERVE
                && Planner.FIRST_CHECK_ONLY.equals(after.status().admission())),
        "6: the count of a check that is withheld is lost by",
        rule,
        check,
        was,
        is);
  }

  /** A check is asked no sooner than those that it comes after have said Ready. */
  private static void inOrder(
      CheckPolicy check, Situation situation, Workload before, Workload after) {
    AdmissionCheckState entry = Space.entry(after, check.name());
    boolean reserved = Reading.reserved(after);
    if (entry == null || (!reserved && !CheckStage.asks(after))) {
      return;
    }
    Set<String> waitedFor =
        reserved
            ? situation.checks().byQueue().keySet()
            : situation.checks().beforeQuota().keySet();
    boolean asked =
        reserved
            ? Space.entry(before, check.name()) == null || !Reading.reserved(before)
            : waitedFor.contains(check.name())
                && entry.is(CheckState.PENDING)
                && !entry.equals(Space.entry(before, check.name()));
    for (String other : check.after()) {
      require(
          !asked
              || !waitedFor.contains(other)
              || situation.checks().observed().contains(other)
              || AnyOf.isReady(situation, after, other),
          "order: a check is asked before another is Ready:",
          check.name(),
          other);
    }
  }

  /** Whether the count follows from what happened: one more for each Retry that is reset. */
  private static boolean counts(AdmissionCheckState before, AdmissionCheckState after, Rule rule) {
    int was = count(before);
    int is = count(after);
    if (rule == Rule.OBSERVE || rule == Rule.ASK) {
      return is == was;
    }
    if (before.is(CheckState.RETRY) && after.is(CheckState.PENDING)) {
      return is == was + 1;
    }
    if (before.is(CheckState.READY)) {
      // It succeeded; with R3 or R10 of another check it keeps everything.
      return is == 0 || after.is(CheckState.READY);
    }
    return is == was || (rule == Rule.ADMIT && is == 0);
  }

  private static void reservation(Situation situation, Around facts, Workload after) {
    Workload before = situation.workload();
    require(facts.queue() == Around.Queue.RUNS, "reserved on a queue that does not run");
    require(situation.phase() == Phase.QUEUED, "reserved in the phase", situation.phase());
    Instant date = Reading.quotaReservedDate(after);
    require(
        date.isAfter(Reading.quotaReservedDate(before)),
        "a reservation is dated like the one before");
    require(Times.seconds(date) >= 0, "a reservation is dated into the past");
    require(Reading.requeueAt(after) == null, "reserved with a requeueAt");
    require(!Reading.evicted(after), "reserved and still Evicted");
    require(!Reading.isTrue(after, WorkloadConditions.PREEMPTED), "reserved and still Preempted");
    require(
        BeforeQuota.open(before, situation.checks().beforeQuota().keySet()),
        "R13: reserved before a check said Ready about its spec");
    for (AdmissionCheckState entry : after.status().admissionChecks()) {
      require(
          entry.is(CheckState.PENDING)
              && entry.lastTransitionTime().equals(date)
              && entry.requeueAfterSeconds() == null,
          "a verdict survives into the next reservation:",
          entry);
    }
  }

  /** Invariant 4, as far as the objects tell. */
  private static void admission(Situation situation, Around facts, Rule rule, Workload after) {
    require(facts.queue() == Around.Queue.RUNS, "admitted on a queue that does not run");
    require(!facts.invalid() || rule == Rule.RESERVE, "admitted with an invalid assignment");
    require(!facts.victims() || rule == Rule.RESERVE, "9: admitted while victims hold its quota");
    if (rule == Rule.RESERVE) {
      require(
          after.status().admissionChecks().stream()
              .allMatch(entry -> situation.checks().observed().contains(entry.name())),
          "4: admitted before its checks ran");
      return;
    }
    for (String check : situation.required().keySet()) {
      require(
          situation.checks().observed().contains(check) || AnyOf.isReady(situation, after, check),
          "4: admitted while a check is not Ready, and no alternative:",
          check);
      require(
          situation.checks().observed().contains(check)
              || AnyOf.answers(situation, after, check).size() == 1,
          "any-of: admitted with more than one alternative:",
          check);
    }
    for (AdmissionCheckState entry : after.status().admissionChecks()) {
      require(
          entry.retryCount() == null && entry.requeueAfterSeconds() == null,
          "6: a count survives its check's success:",
          entry);
    }
  }

  /** Invariant 3: one patch after a Retry is seen quota is free, if nothing runs on it. */
  private static void quotaIsFreed(Situation situation, Around facts, Workload after, Rule rule) {
    if (FIRST.contains(rule)) {
      return;
    }
    boolean retry = retries(situation).stream().anyMatch(entry -> entry.is(CheckState.RETRY));
    switch (situation.phase()) {
      case RESERVED ->
          require(
              !retry || !Reading.reserved(after), "3: a Retry is seen and quota kept, by", rule);
      case ADMITTED -> {
        require(!retry || Reading.evicted(after), "3: a Retry is seen and not evicted, by", rule);
        require(
            !retry || facts.running() || !Reading.reserved(after),
            "3: a Retry is seen and quota kept that nothing runs on, by",
            rule);
      }
      case FINISHED, DEACTIVATED, EVICTING, BACKOFF, HELD, QUEUED -> {}
    }
  }

  static List<AdmissionCheckState> retries(Situation situation) {
    return situation.workload().status().admissionChecks().stream()
        .filter(entry -> entry.is(CheckState.RETRY))
        .filter(entry -> situation.required().containsKey(entry.name()))
        .filter(entry -> !situation.checks().observed().contains(entry.name()))
        .filter(entry -> AnyOf.allRefuse(situation, entry.name()))
        .toList();
  }

  static boolean has(Workload object, CheckState state) {
    return object.status().admissionChecks().stream().anyMatch(entry -> entry.is(state));
  }

  private static int count(AdmissionCheckState entry) {
    Integer count = entry.retryCount();
    return count == null ? 0 : count;
  }
}
