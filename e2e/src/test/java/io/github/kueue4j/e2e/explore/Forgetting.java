// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.explore;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.lifecycle.ObservedEntries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Leaves out the dates that nothing will be compared with any more, so that worlds that differ only
 * in them are one: how long ago an entry became Pending or Ready that no rule evaluates; how long
 * ago a Retry without a delay was written; how long ago a reservation was made to which nothing
 * refers.
 */
final class Forgetting {
  private final Rules rules;
  private final int evaluated;
  private final SortedMap<String, ObservedEntries.Retry> retries;
  private final List<AdmissionCheckState> entries;
  private final Workload object;
  private final ObservedEntries observed;
  private final ObservedEntries observedEntries;
  private Instant earliest = Times.NOW;

  /**
   * @param evaluated bit per check that is being evaluated
   */
  Forgetting(Rules rules, Workload object, ObservedEntries observedEntries, int evaluated) {
    this.rules = rules;
    this.evaluated = evaluated;
    this.observed = observedEntries;
    this.retries = new TreeMap<>(observedEntries.retries());
    this.entries = new ArrayList<>(object.status().admissionChecks());
    for (int i = 0; i < entries.size(); i++) {
      if (!isEvaluated(entries.get(i).name())) {
        entries.set(i, forget(entries.get(i)));
      }
    }
    this.observedEntries =
        new ObservedEntries(
            observedEntries.restarted(),
            retries,
            Reading.reserved(object) && !rules.pendingTimeouts()
                ? new TreeMap<>()
                : observedEntries.waits(),
            observedEntries.unconfirmed());
    this.object = reservation(object);
  }

  Workload object() {
    return object;
  }

  ObservedEntries sightings() {
    return observedEntries;
  }

  private boolean isEvaluated(String name) {
    for (int check = 0; check < rules.checks().size(); check++) {
      if (rules.checks().get(check).name().equals(name)) {
        return (evaluated & (1 << check)) != 0;
      }
    }
    return false;
  }

  private AdmissionCheckState forget(AdmissionCheckState entry) {
    if (!entry.is(CheckState.RETRY)) {
      boolean waits = rules.pendingTimeouts() && entry.is(CheckState.PENDING);
      ObservedEntries.Wait given = observed.waits().get(entry.name());
      boolean ages = given != null && given.identity().equals(entry.lastTransitionTime());
      return waits || ages || mayRecur(entry)
          ? entry
          : entry.withLastTransitionTime(Essence.LONG_AGO);
    }
    Instant date = entry.lastTransitionTime();
    ObservedEntries.Retry seen = retries.get(entry.name());
    if (seen != null && date.equals(seen.identity())) {
      if (Delays.of(rules, entry) == null && isOld(date) && isOld(seen.base())) {
        retries.put(entry.name(), new ObservedEntries.Retry(Essence.LONG_AGO, Essence.LONG_AGO));
        return entry.withLastTransitionTime(Essence.LONG_AGO);
      }
      earlier(seen.base());
    }
    earlier(date);
    return entry;
  }

  /** Whether a later evaluation could take this entry for another one of the same date. */
  private static boolean mayRecur(AdmissionCheckState entry) {
    return CheckKind.of(entry.name()).fenced() && Times.seconds(entry.lastTransitionTime()) >= 0;
  }

  private void earlier(Instant instant) {
    earliest = instant.isBefore(earliest) ? instant : earliest;
  }

  /** Whether no check will write this date again, nor a core believe it. */
  private boolean isOld(Instant date) {
    return Times.seconds(date) < Math.min(-Rules.TRUSTED_LAG - 1, rules.earliestDate());
  }

  private Workload reservation(Workload full) {
    List<Condition> conditions = full.status().conditions();
    Condition reserved = Reading.condition(full, WorkloadConditions.QUOTA_RESERVED);
    if (evaluated == 0
        && !rules.pendingTimeouts()
        && reserved != null
        && reserved.lastTransitionTime().isBefore(earliest)
        && Times.seconds(reserved.lastTransitionTime()) < -1) {
      conditions = new ArrayList<>(conditions);
      conditions.replaceAll(
          condition ->
              condition.type().equals(WorkloadConditions.QUOTA_RESERVED)
                  ? condition.withLastTransitionTime(Essence.LONG_AGO)
                  : condition);
    }
    Condition withheld = Reading.condition(full, WorkloadConditions.WITHHELD_CHECKS);
    if (withheld != null
        && (!rules.asksBeforeQuota() || Times.seconds(withheld.lastTransitionTime()) < 0)) {
      conditions = new ArrayList<>(conditions);
      conditions.replaceAll(
          condition ->
              condition.type().equals(WorkloadConditions.WITHHELD_CHECKS)
                  ? condition.withLastTransitionTime(Essence.LONG_AGO)
                  : condition);
    }
    return full.withStatus(full.status().withConditions(conditions).withAdmissionChecks(entries));
  }
}
