// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.api.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Updates the observed entries with the object that was just read.
 *
 * <p>A Retry is identified by its lastTransitionTime. The delay of a new Retry counts from that
 * time if it lies within the last two seconds of the core's own clock and isn't before the last
 * change of QuotaReserved, as it would be if its writer's clock lags; otherwise from now, or from
 * that change, which is dated ahead if there was another one in the same second: an entry isn't
 * dated before it, and so it records from when its delay counts. After a restart,
 * lastTransitionTime + delay ≤ requeueAt proves that an earlier process recorded it. What a patch
 * recorded to which no answer came is known again by its date.
 */
final class Observation {
  /** How far a check's clock may lag before its date is ignored; the API stores whole seconds. */
  private static final Duration TRUSTED_LAG = Duration.ofSeconds(2);

  /** How far reservations may be dated ahead; beyond that the core's clock has been set back. */
  private static final Duration DATED_AHEAD = Duration.ofSeconds(10);

  private Observation() {}

  static ObservedEntries of(Situation situation, Instant now) {
    ObservedEntries before = situation.observedEntries();
    WorkloadConditions conditions = situation.workload().conditions();
    WorkloadStatus status = situation.workload().status();
    Map<String, ObservedEntries.Retry> retries = new TreeMap<>();
    Map<String, ObservedEntries.Wait> waits = new TreeMap<>();
    Set<String> unchanged = new HashSet<>();
    for (AdmissionCheckState entry : status.admissionChecks()) {
      if (entry.is(CheckState.RETRY)) {
        ObservedEntries.Retry last = before.retry(entry.name());
        ObservedEntries.Retry known = before.retry(entry.name(), entry.lastTransitionTime());
        if (known != null && known.equals(last)) {
          unchanged.add(entry.name());
        }
        retries.put(
            entry.name(),
            known != null ? known : firstSight(situation, entry, status.requeueAt(), now));
      } else if (conditions.reserved()) {
        Instant reservedAt = conditions.changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(null);
        Instant from = ApiSeconds.later(entry.lastTransitionTime(), reservedAt);
        ObservedEntries.Wait known = before.wait(entry.name());
        if (known != null && known.identity().equals(from)) {
          unchanged.add(entry.name());
          waits.put(entry.name(), known);
        } else {
          waits.put(entry.name(), new ObservedEntries.Wait(from, from.isAfter(now) ? now : from));
        }
      } else if (entry.is(CheckState.READY)) {
        ObservedEntries.Wait wait = readyBeforeQuota(situation, entry, now);
        if (wait != null) {
          waits.put(entry.name(), wait);
        }
      }
    }
    return before.with(retries, waits, unchanged);
  }

  /** Null if it isn't known to be one. It is remembered when its check is no longer asked so. */
  private static ObservedEntries.@Nullable Wait readyBeforeQuota(
      Situation situation, AdmissionCheckState entry, Instant now) {
    Instant date = entry.lastTransitionTime();
    ObservedEntries.Wait known = situation.observedEntries().wait(entry.name());
    if (known != null && known.identity().equals(date)) {
      return known;
    }
    if (!situation.checks().beforeQuota().containsKey(entry.name())) {
      return null;
    }
    boolean dated = situation.observedEntries().restarted() && date.isBefore(now);
    return new ObservedEntries.Wait(date, dated ? date : now);
  }

  private static ObservedEntries.Retry firstSight(
      Situation situation, AdmissionCheckState entry, @Nullable Instant requeueAt, Instant now) {
    Instant written = entry.lastTransitionTime();
    Instant reservedAt =
        situation.workload().conditions().changedAt(WorkloadConditions.QUOTA_RESERVED).orElse(null);
    boolean trusted =
        !written.isBefore(now.minus(TRUSTED_LAG))
            && !written.isAfter(now)
            && written.equals(ApiSeconds.later(written, reservedAt));
    boolean recorded =
        situation.observedEntries().restarted() && recordedIn(requeueAt, situation, entry, written);
    // Rounded up like every "not before": a recorded value rounded down would shorten the delay.
    Instant seen = ApiSeconds.ceil(now);
    boolean ahead =
        reservedAt != null
            && reservedAt.isAfter(seen)
            && !reservedAt.isAfter(seen.plus(DATED_AHEAD));
    Instant base = ahead ? ApiSeconds.later(seen, reservedAt) : seen;
    return new ObservedEntries.Retry(written, trusted || recorded ? written : base);
  }

  private static boolean recordedIn(
      @Nullable Instant requeueAt, Situation situation, AdmissionCheckState entry, Instant base) {
    Deadline.Delay delay = Deadline.delay(situation, entry, base);
    return requeueAt != null && delay != null && !delay.until().isAfter(requeueAt);
  }
}
