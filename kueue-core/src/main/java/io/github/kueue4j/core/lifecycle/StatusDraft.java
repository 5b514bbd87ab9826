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
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
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
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The status that a rule is writing, in the words of the table: one draft, one patch.
 *
 * <p>Every lastTransitionTime it moves becomes the draft's stamp, and it moves only with the state.
 */
final class StatusDraft {
  /** As many kinds of evictions as the API stores. */
  private static final int COUNTED_EVICTIONS = 256;

  private final View view;
  private final Instant stamp;
  private final List<LifecycleEvent> events = new ArrayList<>();
  private final List<Fact> facts = new ArrayList<>();
  private WorkloadStatus status;
  private Sightings applied;

  StatusDraft(View view) {
    this(view, view.stamp());
  }

  /** A draft whose transitions happen at {@code stamp}, as a reservation's do. */
  StatusDraft(View view, Instant stamp) {
    this.view = view;
    this.stamp = stamp;
    this.status = view.workload().status();
    this.applied = view.seen();
  }

  /** What the draft says now. */
  Reading reading() {
    return new Reading(view.workload().withStatus(status));
  }

  StatusDraft condition(String type, boolean value, String reason, String message) {
    Condition condition =
        new Condition(
            type,
            value ? Condition.TRUE : Condition.FALSE,
            reason,
            Messages.cut(message),
            stamp,
            // The one condition that the API keeps without it.
            type.equals(WorkloadConditions.PREEMPTED)
                ? null
                : view.workload().metadata().getGeneration());
    status = status.withConditions(Conditions.set(status.conditions(), condition));
    return this;
  }

  StatusDraft withoutCondition(String type) {
    status = status.withConditions(Conditions.remove(status.conditions(), type));
    return this;
  }

  /** A condition that is True becomes False and keeps its message as history. */
  StatusDraft overcome(String type) {
    Optional<Condition> condition = reading().condition(type);
    if (condition.isPresent() && reading().isTrue(type)) {
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

  /** Held for checks: Requeued=False and an existing QuotaReserved=False say who delays. */
  StatusDraft holdForChecks(String message) {
    hold(Reasons.ADMISSION_CHECK, message);
    return reading().isFalse(WorkloadConditions.QUOTA_RESERVED)
        ? condition(WorkloadConditions.QUOTA_RESERVED, false, Reasons.PENDING_EVALUATION, message)
        : this;
  }

  /** Requeued=True, and QuotaReserved no longer tells of the delay that is over. */
  StatusDraft requeue(String reason, String message) {
    condition(WorkloadConditions.REQUEUED, true, reason, message);
    return pendingEvaluation();
  }

  /** An existing QuotaReserved=False says that the Workload waits for the scheduler. */
  StatusDraft pendingEvaluation() {
    if (reading().isFalse(WorkloadConditions.QUOTA_RESERVED)) {
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
   * R5's whole content: requeueAt becomes the deadline, absent without one. After a pods-ready
   * timeout it is kept and never lowered. If it changes, the delays are recorded.
   */
  StatusDraft settleRequeueAt() {
    Instant wanted = wantedRequeueAt(reading(), view.deadline());
    return Objects.equals(wanted, reading().requeueAt()) ? this : requeueAt(wanted).recordDelays();
  }

  /** What requeueAt should be. */
  static @Nullable Instant wantedRequeueAt(Reading reading, Deadline deadline) {
    return reading.heldForPodsReady()
        ? Stamps.laterOrNull(reading.requeueAt(), deadline.at())
        : deadline.at();
  }

  /**
   * Writes into the delayed entries from when and for how long they count, so that another process
   * comes to the same deadline. Recording is not a new sighting.
   */
  StatusDraft recordDelays() {
    Map<String, Sightings.Retry> retries = new TreeMap<>(applied.retries());
    Instant reservedSince = view.reading().quotaReservedSince();
    status =
        status.withAdmissionChecks(
            Entries.map(
                status.admissionChecks(),
                entry -> {
                  Deadline.Delay delay = view.deadline().delays().get(entry.name());
                  if (delay == null) {
                    return entry;
                  }
                  AdmissionCheckState recorded = entry;
                  if (!delay.base().equals(entry.lastTransitionTime())) {
                    recorded =
                        recorded.withLastTransitionTime(Stamps.later(delay.base(), reservedSince));
                  }
                  if (delay.computed()) {
                    recorded =
                        recorded.withRequeueAfterSeconds(
                            Math.toIntExact(
                                Math.min(Integer.MAX_VALUE, delay.duration().toSeconds())));
                  }
                  Instant written = recorded.lastTransitionTime();
                  retries.computeIfPresent(
                      entry.name(), (name, sighting) -> sighting.recordedAs(written));
                  return recorded;
                }));
    applied = applied.with(retries, applied.waits());
    return this;
  }

  // --- entries --------------------------------------------------------------------------------

  StatusDraft entries(List<AdmissionCheckState> entries) {
    status = status.withAdmissionChecks(entries);
    return this;
  }

  /** R6's edit of the entries; counts every Retry. */
  StatusDraft countRetries() {
    for (AdmissionCheckState entry : view.retries()) {
      Deadline.Delay delay = view.deadline().delays().get(entry.name());
      facts.add(
          new Fact.Retried(
              entry.name(),
              entry.retryCount() == null ? 0 : entry.retryCount(),
              delay == null ? null : delay.duration()));
    }
    return entries(Entries.afterBackoff(status.admissionChecks(), stamp)).endSightings();
  }

  /** R8's, R9's and R11's edit of the entries. */
  StatusDraft clearEntries(String why) {
    return entries(Entries.cleared(status.admissionChecks(), stamp, why)).endSightings();
  }

  StatusDraft endSightings() {
    applied = applied.ended();
    return this;
  }

  // --- eviction and release -------------------------------------------------------------------

  /** Evicted=True; counted and told only if it wasn't evicting already. */
  StatusDraft evict(Eviction eviction) {
    boolean evictedBefore = reading().evicted();
    condition(WorkloadConditions.EVICTED, true, eviction.reason(), eviction.message());
    if (!evictedBefore) {
      int count = countEviction(eviction);
      reading()
          .condition(WorkloadConditions.PODS_READY)
          .filter(Condition::isTrue)
          .ifPresent(
              ready ->
                  facts.add(
                      new Fact.EvictedWhileReady(
                          reading().clusterQueue(),
                          eviction.counted(),
                          eviction.cause(),
                          Stamps.between(ready.lastTransitionTime(), view.now()))));
      if (status.admission() != null) {
        event(LifecycleEvent.normal("EvictedDueTo" + eviction.reason(), eviction.message()));
      }
      facts.add(
          new Fact.Evicted(
              reading().clusterQueue(), eviction.counted(), eviction.cause(), count == 1));
    }
    return this;
  }

  private int countEviction(Eviction eviction) {
    SchedulingStats stats = status.schedulingStats();
    List<SchedulingStatsEviction> counts =
        new ArrayList<>(stats == null ? List.of() : stats.evictions());
    int now = 1;
    int place = 0;
    while (place < counts.size() && !eviction.isCountedBy(counts.get(place))) {
      place++;
    }
    if (place < counts.size()) {
      now = counts.get(place).count() + 1;
      counts.set(place, counts.get(place).withCount(now));
    } else if (counts.size() < COUNTED_EVICTIONS) {
      counts.add(new SchedulingStatsEviction(eviction.counted(), eviction.cause(), now));
    }
    status = status.withSchedulingStats(new SchedulingStats(counts));
    return now;
  }

  /** Releases in the same patch as the eviction what was never admitted: nothing runs on it. */
  StatusDraft releaseUnlessAdmitted() {
    return reading().admitted() ? this : release();
  }

  /** R4: quota is given back. Requeued stays False if it is, otherwise the eviction decides. */
  StatusDraft release() {
    Reading evicted = reading();
    if (!evicted.reserved()) {
      return this;
    }
    String clusterQueue = evicted.clusterQueue();
    Optional<Condition> eviction = evicted.condition(WorkloadConditions.EVICTED);
    String reason = eviction.map(Condition::reason).orElse(Reasons.PREEMPTED);
    String message = eviction.map(Condition::message).orElse(Messages.PENDING_EVALUATION);
    facts.add(
        new Fact.QuotaReleased(
            clusterQueue,
            reason,
            Stamps.between(eviction.map(Condition::lastTransitionTime).orElse(null), view.now())));
    accumulateExecutionTime(evicted);
    if (evicted.heldFor() == null) {
      decideRequeued(reason, message);
    }
    return withoutReservation(
        evicted.active() ? Reasons.PENDING_EVALUATION : Reasons.DEACTIVATED, message);
  }

  private void decideRequeued(String reason, String message) {
    List<AdmissionCheckState> retries = reading().retries(view.required());
    if (!retries.isEmpty()) {
      hold(Reasons.ADMISSION_CHECK, Messages.stillDelayed(retries, view.deadline()));
    } else if (reason.equals(Reasons.PREEMPTED) || reason.equals(Reasons.ASSIGNMENT_LOST)) {
      condition(WorkloadConditions.REQUEUED, true, reason, message);
    } else {
      hold(reason, message);
    }
  }

  /** QuotaReserved=False without an admission; what releasing and withdrawing have in common. */
  StatusDraft withoutReservation(String reason, String message) {
    admission(null);
    condition(WorkloadConditions.QUOTA_RESERVED, false, reason, message);
    resetPodsReady();
    return condition(
        WorkloadConditions.ADMITTED, false, Reasons.NO_RESERVATION, Messages.NO_RESERVATION);
  }

  /** Admitted: its pods are waited for from now on, if anybody tells about them. */
  StatusDraft awaitPods() {
    return view.situation().readiness().observed()
        ? condition(
            WorkloadConditions.PODS_READY, false, Reasons.WAIT_FOR_START, Messages.PODS_NOT_READY)
        : this;
  }

  /**
   * Without a reservation there are no pods. While one attempt in vain follows the other the
   * condition stays, for its date is what {@code backoffLimitTimeout} counts from; otherwise the
   * next admission dates it anew.
   */
  private void resetPodsReady() {
    Optional<Condition> known = reading().condition(WorkloadConditions.PODS_READY);
    if (known.isEmpty()) {
      return;
    }
    RequeueState state = status.requeueState();
    boolean series =
        known.get().isFalse()
            && reading().active()
            && state != null
            && state.count() != null
            && state.count() > 0;
    if (series) {
      condition(
          WorkloadConditions.PODS_READY, false, Reasons.WAIT_FOR_START, Messages.PODS_NOT_READY);
    } else {
      withoutCondition(WorkloadConditions.PODS_READY);
    }
  }

  /**
   * Adds the time since Admitted to the past execution time. Not after a deactivation: that ended
   * the account, and a Workload activated again starts with its whole budget.
   */
  private void accumulateExecutionTime(Reading evicted) {
    if (!evicted.admitted() || evicted.heldForDeactivation()) {
      return;
    }
    Duration ran = Stamps.between(evicted.admittedSince(), view.now());
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

  StatusDraft fact(Fact fact) {
    facts.add(fact);
    return this;
  }

  /**
   * The decision to write this draft, or null if it changes nothing. Entries that are no longer
   * required go with it; they alone are no reason to write.
   */
  @Nullable Decision as(Rule rule) {
    if (status.equals(view.workload().status())) {
      return null;
    }
    entries(Entries.withoutUnrequired(status.admissionChecks(), view.required()));
    return asIs(rule);
  }

  /** As {@link #as}, with every entry kept. */
  @Nullable Decision asIs(Rule rule) {
    if (status.equals(view.workload().status())) {
      return null;
    }
    return new Decision(
        rule,
        view.workload().withStatus(status),
        false,
        applied,
        List.copyOf(events),
        List.copyOf(facts));
  }
}
