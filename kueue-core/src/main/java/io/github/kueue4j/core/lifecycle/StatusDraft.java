// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.SchedulingStats;
import io.github.kueue4j.api.SchedulingStatsEviction;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The status that a rule writes; one draft becomes one patch. Its methods correspond to the terms
 * of the table in {@code docs/lifecycle.md}.
 *
 * <p>Every lastTransitionTime it moves becomes the draft's stamp, and it moves only with the state.
 */
final class StatusDraft {
  /** The largest number of eviction counters that the API accepts. */
  private static final int COUNTED_EVICTIONS = 256;

  private final SituationView view;
  private final Instant stamp;
  private final List<LifecycleEvent> events = new ArrayList<>();
  private final List<LifecycleMetric> metrics = new ArrayList<>();
  private WorkloadStatus status;
  private ObservedEntries applied;

  StatusDraft(SituationView view) {
    this(view, view.stamp());
  }

  /** A draft whose transitions get the time {@code stamp}, as for a reservation. */
  StatusDraft(SituationView view, Instant stamp) {
    this.view = view;
    this.stamp = stamp;
    this.status = view.workload().status();
    this.applied = view.seen().confirmed();
  }

  /** What the draft says now. */
  WorkloadConditions conditions() {
    return new WorkloadConditions(status.conditions());
  }

  StatusDraft condition(String type, boolean value, String reason, String message) {
    Condition condition =
        new Condition(
            type,
            value ? Condition.TRUE : Condition.FALSE,
            reason,
            Messages.cut(message),
            stamp,
            // The API's other implementation writes Preempted=True without observedGeneration.
            type.equals(WorkloadConditions.PREEMPTED) && value
                ? null
                : view.workload().metadata().getGeneration());
    status = status.withConditions(Conditions.set(status.conditions(), condition));
    return this;
  }

  StatusDraft withoutCondition(String type) {
    status = status.withConditions(Conditions.remove(status.conditions(), type));
    return this;
  }

  /** Turns a True condition to False and keeps its message after "Previously: ". */
  StatusDraft setFalseKeepingMessage(String type) {
    Optional<Condition> condition = conditions().findTrue(type);
    if (condition.isPresent()) {
      condition(
          type, false, Reasons.QUOTA_RESERVED, Messages.previously(condition.get().message()));
    }
    return this;
  }

  StatusDraft admission(@Nullable Admission admission) {
    status = status.withAdmission(admission);
    return this;
  }

  StatusDraft withoutResourceRequests() {
    status = status.withResourceRequests(List.of());
    return this;
  }

  StatusDraft edit(UnaryOperator<WorkloadStatus> change) {
    status = change.apply(status);
    return this;
  }

  // --- Requeued -------------------------------------------------------------------------------

  /** Requeued=False: not queued again before something happens. */
  StatusDraft hold(String reason, String message) {
    return condition(WorkloadConditions.REQUEUED, false, reason, message);
  }

  /**
   * Held for checks: Requeued=False and an existing QuotaReserved=False name the delaying checks.
   */
  StatusDraft holdForChecks(String message) {
    hold(EvictionReasons.ADMISSION_CHECK, message);
    return conditions().isFalse(WorkloadConditions.QUOTA_RESERVED)
        ? condition(WorkloadConditions.QUOTA_RESERVED, false, Reasons.PENDING_EVALUATION, message)
        : this;
  }

  /** Requeued=True, and QuotaReserved no longer mentions the delay that is over. */
  StatusDraft requeue(String reason, String message) {
    condition(WorkloadConditions.REQUEUED, true, reason, message);
    return pendingEvaluation();
  }

  /** An existing QuotaReserved=False says that the Workload waits for the scheduler. */
  StatusDraft pendingEvaluation() {
    if (conditions().isFalse(WorkloadConditions.QUOTA_RESERVED)) {
      condition(
          WorkloadConditions.QUOTA_RESERVED,
          false,
          Reasons.PENDING_EVALUATION,
          Messages.PENDING_EVALUATION);
    }
    return this;
  }

  // --- requeueState ---------------------------------------------------------------------------

  StatusDraft requeueAt(@Nullable Instant at) {
    RequeueState state = status.requeueState();
    return requeueState(state == null ? null : state.count(), at);
  }

  StatusDraft requeueState(@Nullable Integer count, @Nullable Instant at) {
    status =
        status.withRequeueState(count == null && at == null ? null : new RequeueState(count, at));
    return this;
  }

  /**
   * R5: requeueAt becomes the deadline, absent without one, and the delays are recorded. After a
   * pods-ready timeout it is never lowered.
   */
  StatusDraft updateRequeueAt() {
    return requeueAt(wantedRequeueAt(status, view.deadline())).recordDelays();
  }

  /**
   * Whether requeueAt is as R5 would write it, and no delayed entry is dated before the last change
   * of QuotaReserved, where its date doesn't tell from when its delay counts.
   */
  static boolean tellsDeadline(SituationView view) {
    Instant wanted = wantedRequeueAt(view.workload().status(), view.deadline());
    return Objects.equals(wanted, view.requeueAt())
        && view.entries().stream()
            .allMatch(
                entry -> {
                  Instant date = entry.lastTransitionTime();
                  return date.equals(ApiSeconds.later(date, view.quotaReservedSince()))
                      || date.equals(recordedDate(view, entry));
                });
  }

  static @Nullable Instant wantedRequeueAt(WorkloadStatus status, Deadline deadline) {
    return new WorkloadConditions(status.conditions()).heldForPodsReady()
        ? ApiSeconds.laterOrNull(status.requeueAt(), deadline.at())
        : deadline.at();
  }

  private static Instant recordedDate(SituationView view, AdmissionCheckState entry) {
    Deadline.Delay delay = view.deadline().delays().get(entry.name());
    return delay == null || delay.base().equals(entry.lastTransitionTime())
        ? entry.lastTransitionTime()
        : ApiSeconds.later(delay.base(), view.quotaReservedSince());
  }

  /**
   * Writes base and length of each delay into its entry, so that another process computes the same
   * deadline. The core's own write is not taken for a new Retry.
   */
  StatusDraft recordDelays() {
    Map<String, ObservedEntries.Retry> retries = new TreeMap<>(applied.retries());
    status =
        status.withAdmissionChecks(
            Entries.map(
                status.admissionChecks(),
                entry -> {
                  Deadline.Delay delay = view.deadline().delays().get(entry.name());
                  if (delay == null) {
                    return entry;
                  }
                  AdmissionCheckState recorded =
                      entry.withLastTransitionTime(recordedDate(view, entry));
                  if (delay.computed()) {
                    recorded =
                        recorded.withRequeueAfterSeconds(
                            Math.toIntExact(
                                Math.min(Integer.MAX_VALUE, delay.duration().toSeconds())));
                  }
                  retries.put(
                      entry.name(),
                      new ObservedEntries.Retry(recorded.lastTransitionTime(), delay.base()));
                  return recorded;
                }));
    applied = applied.with(retries, applied.waits(), Set.of());
    return this;
  }

  // --- entries --------------------------------------------------------------------------------

  StatusDraft entries(List<AdmissionCheckState> entries) {
    status = status.withAdmissionChecks(entries);
    return this;
  }

  /** The condition that says which checks have no entry because they come after others. */
  StatusDraft withheld(WithheldChecks checks) {
    status = status.withConditions(checks.in(status.conditions(), stamp));
    return this;
  }

  /** R6's edit of the entries: counts every Retry and resets all to Pending. */
  StatusDraft countRetries() {
    view.retries().forEach(this::countRetry);
    return entries(Entries.afterBackoff(status.admissionChecks(), view.beforeQuota(), stamp))
        .forgetObservedRetries();
  }

  /** R12's edit of the entries: a check may say Retry again under the date that its entry gets. */
  StatusDraft observe(List<AdmissionCheckState> entries) {
    Map<String, ObservedEntries.Retry> retries = new TreeMap<>(applied.retries());
    entries.stream()
        .filter(entry -> !entry.is(CheckState.RETRY))
        .forEach(entry -> retries.remove(entry.name()));
    applied = applied.with(retries, applied.waits(), retries.keySet());
    return entries(entries);
  }

  /** R14's edit of the entries. */
  StatusDraft setAside() {
    List<AdmissionCheckState> before = status.admissionChecks();
    WithheldChecks withheld = WithheldChecks.of(status);
    List<AdmissionCheckState> left = Entries.setAside(before, view.groups(), withheld);
    if (left.size() == before.size()) {
      return this;
    }
    Map<String, ObservedEntries.Retry> retries = new TreeMap<>(applied.retries());
    for (AdmissionCheckState entry : Entries.in(CheckState.RETRY, before)) {
      if (!left.contains(entry)) {
        countRetry(entry);
        retries.remove(entry.name());
      }
    }
    applied = applied.with(retries, applied.waits(), Set.of());
    return entries(left).withheld(withheld);
  }

  private void countRetry(AdmissionCheckState entry) {
    metrics.add(
        new LifecycleMetric.Retried(
            entry.name(), entry.retryCount() == null ? 0 : entry.retryCount()));
  }

  /** R8's, R9's and R11's edit of the entries: Pending without counts and delays. */
  StatusDraft clearEntries(String why) {
    return entries(Entries.cleared(status.admissionChecks(), stamp, why))
        .withoutCondition(WorkloadConditions.WITHHELD_CHECKS)
        .forgetObservedRetries();
  }

  StatusDraft forgetObservedRetries() {
    applied = applied.ended();
    return this;
  }

  // --- eviction and release -------------------------------------------------------------------

  /** Evicted=True; counted and reported only if the Workload wasn't being evicted already. */
  StatusDraft evict(Eviction eviction) {
    boolean evictedBefore = conditions().evicted();
    condition(WorkloadConditions.EVICTED, true, eviction.reason(), eviction.message());
    if (!evictedBefore) {
      int count = countEviction(eviction);
      conditions()
          .trueSince(WorkloadConditions.PODS_READY)
          .ifPresent(
              ready ->
                  metrics.add(
                      new LifecycleMetric.EvictedWhileReady(
                          SituationView.clusterQueue(status),
                          eviction.counted(),
                          eviction.cause(),
                          ApiSeconds.between(ready, view.now()))));
      // A preemption has an event of its own, which says more.
      if (status.admission() != null && !eviction.reason().equals(EvictionReasons.PREEMPTED)) {
        event(LifecycleEvent.normal("EvictedDueTo" + eviction.reason(), eviction.message()));
      }
      metrics.add(
          new LifecycleMetric.Evicted(
              SituationView.clusterQueue(status),
              eviction.counted(),
              eviction.cause(),
              count == 1));
    }
    return this;
  }

  private int countEviction(Eviction eviction) {
    SchedulingStats stats = status.schedulingStats();
    List<SchedulingStatsEviction> counts =
        new ArrayList<>(stats == null ? List.of() : stats.evictions());
    int now = 1;
    int index = 0;
    while (index < counts.size() && !eviction.isCountedBy(counts.get(index))) {
      index++;
    }
    if (index < counts.size()) {
      now = counts.get(index).count() + 1;
      counts.set(index, counts.get(index).withCount(now));
    } else if (counts.size() < COUNTED_EVICTIONS) {
      counts.add(new SchedulingStatsEviction(eviction.counted(), eviction.cause(), now));
    }
    status = status.withSchedulingStats(new SchedulingStats(counts));
    return now;
  }

  /** Releases quota that no pod runs on: not yet admitted, or the owner has stopped. */
  StatusDraft releaseUnlessRunning() {
    return conditions().admitted() && !view.situation().owner().stopped() ? this : release();
  }

  /**
   * R4: releases the quota. Requeued stays False if it is; otherwise the eviction's reason decides.
   */
  StatusDraft release() {
    WorkloadConditions evicted = conditions();
    if (!evicted.reserved()) {
      return this;
    }
    String clusterQueue = SituationView.clusterQueue(status);
    Optional<Condition> eviction = evicted.find(WorkloadConditions.EVICTED);
    String reason = eviction.map(Condition::reason).orElse(EvictionReasons.PREEMPTED);
    String message = eviction.map(Condition::message).orElse(Messages.PENDING_EVALUATION);
    metrics.add(
        new LifecycleMetric.QuotaReleased(
            clusterQueue,
            reason,
            ApiSeconds.between(
                eviction.map(Condition::lastTransitionTime).orElse(null), view.now())));
    accumulateExecutionTime(evicted);
    if (evicted.heldFor().isEmpty()) {
      decideRequeued(reason, message);
    }
    if (view.situation().owner().stopped()) {
      withoutCondition(WorkloadConditions.SUSPENSION_UNHEEDED);
    }
    return withoutReservation(
        view.active() ? Reasons.PENDING_EVALUATION : EvictionReasons.DEACTIVATED, message);
  }

  private void decideRequeued(String reason, String message) {
    List<AdmissionCheckState> retries = view.groups().retries(status.admissionChecks());
    if (!retries.isEmpty()) {
      hold(EvictionReasons.ADMISSION_CHECK, Messages.stillDelayed(retries, view.deadline()));
    } else if (reason.equals(EvictionReasons.PREEMPTED) || reason.equals(Reasons.ASSIGNMENT_LOST)) {
      condition(WorkloadConditions.REQUEUED, true, reason, message);
    } else {
      hold(reason, message);
    }
  }

  /** QuotaReserved=False and no admission: the common part of release and withdraw. */
  StatusDraft withoutReservation(String reason, String message) {
    admission(null);
    condition(WorkloadConditions.QUOTA_RESERVED, false, reason, message);
    resetPodsReady();
    setAside();
    entries(Entries.afterReservation(status.admissionChecks(), stamp));
    return condition(
        WorkloadConditions.ADMITTED, false, Reasons.NO_RESERVATION, Messages.NO_RESERVATION);
  }

  /**
   * Starts to wait for the pods of a Workload that is being admitted, if the core observes them.
   */
  StatusDraft awaitPods() {
    return view.situation().readiness().observed()
        ? condition(
            WorkloadConditions.PODS_READY, false, Reasons.WAIT_FOR_START, Messages.PODS_NOT_READY)
        : this;
  }

  /**
   * Resets PodsReady when the reservation ends. Between consecutive attempts that timed out the
   * condition stays, because {@code backoffLimitTimeout} counts from its date; otherwise it is
   * removed, and the next admission writes a new one.
   */
  private void resetPodsReady() {
    if (PodsReadyRules.betweenAttempts(status, view.active())) {
      condition(
          WorkloadConditions.PODS_READY, false, Reasons.WAIT_FOR_START, Messages.PODS_NOT_READY);
    } else {
      withoutCondition(WorkloadConditions.PODS_READY);
    }
  }

  /**
   * Adds the time since Admitted to the past execution time. Not after a deactivation, which clears
   * that time: a reactivated Workload has its full execution time again.
   */
  private void accumulateExecutionTime(WorkloadConditions evicted) {
    if (!evicted.admitted() || evicted.heldForDeactivation()) {
      return;
    }
    Duration ran =
        ApiSeconds.between(evicted.trueSince(WorkloadConditions.ADMITTED).orElse(null), view.now());
    Integer past = status.accumulatedPastExecutionTimeSeconds();
    long total = (past == null ? 0 : past) + ran.toSeconds();
    status =
        status.withAccumulatedPastExecutionTimeSeconds((int) Math.min(Integer.MAX_VALUE, total));
  }

  // --- results --------------------------------------------------------------------------------

  StatusDraft event(LifecycleEvent event) {
    events.add(event);
    return this;
  }

  StatusDraft metric(LifecycleMetric lifecycleMetric) {
    metrics.add(lifecycleMetric);
    return this;
  }

  /**
   * The decision to write this draft, or null if it changes nothing. Entries that are no longer
   * required are removed in the same patch, but alone are no reason to write.
   */
  @Nullable ProposedWrite toWrite(Rule rule) {
    if (status.equals(view.workload().status())) {
      return null;
    }
    entries(Entries.withoutUnrequired(status.admissionChecks(), view.required()));
    return toWriteKeepingEntries(rule);
  }

  /** As {@link #toWrite}, with every entry kept. */
  @Nullable ProposedWrite toWriteKeepingEntries(Rule rule) {
    if (status.equals(view.workload().status())) {
      return null;
    }
    return new ProposedWrite(
        rule,
        view.workload().withStatus(status),
        false,
        applied,
        List.copyOf(events),
        List.copyOf(metrics));
  }
}
