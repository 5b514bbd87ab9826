// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The instant before which a Workload isn't requeued: the latest of base + delay over the required
 * entries in Retry, in whole seconds rounded up (KEP-3258; {@code docs/lifecycle.md}, "The
 * deadline").
 *
 * @param at null if no required Retry has a delay, or if the gate is off
 * @param delays the delay of each delayed entry, by check name
 */
record Deadline(@Nullable Instant at, SortedMap<String, Delay> delays) {

  /**
   * The delay of one entry.
   *
   * @param base the instant from which it counts
   * @param duration its length, after the cap
   * @param computed whether the AdmissionCheck's {@code spec.retry} gave it, rather than the entry
   * @param capped whether {@code maximumRetryDelay} shortened it
   */
  record Delay(String check, Instant base, Duration duration, boolean computed, boolean capped) {
    Instant until() {
      return ApiSeconds.ceil(base.plus(duration));
    }
  }

  static final Deadline NONE = new Deadline(null, new TreeMap<>());

  Deadline {
    delays = Collections.unmodifiableSortedMap(new TreeMap<>(delays));
  }

  /** The deadline that the entries of {@code situation} set, given when their Retries were seen. */
  static Deadline of(Situation situation, ObservedEntries seen) {
    if (!situation.settings().acRequeueAfter()) {
      return NONE;
    }
    Instant latest = null;
    SortedMap<String, Delay> delays = new TreeMap<>();
    for (AdmissionCheckState entry :
        Entries.retries(
            situation.workload().status().admissionChecks(), situation.required().keySet())) {
      ObservedEntries.Retry sighting = seen.retry(entry.name());
      Delay delay =
          delay(situation, entry, sighting == null ? entry.lastTransitionTime() : sighting.base());
      if (delay != null) {
        delays.put(entry.name(), delay);
        latest = ApiSeconds.later(delay.until(), latest);
      }
    }
    return new Deadline(latest, delays);
  }

  /**
   * The delay of one entry, counted from {@code base}; null if it has none. An absent
   * requeueAfterSeconds is computed, 0 is not absent.
   */
  static @Nullable Delay delay(Situation situation, AdmissionCheckState entry, Instant base) {
    if (!entry.is(CheckState.RETRY)) {
      return null;
    }
    Integer asked = entry.requeueAfterSeconds();
    Duration duration;
    if (asked != null) {
      // The CRD schema refuses negative delays; one that was stored nevertheless counts as 0.
      duration = Duration.ofSeconds(Math.max(0, asked));
    } else {
      RetryPolicy policy = policy(situation, entry.name());
      if (policy == null) {
        return null;
      }
      int attempt = entry.retryCount() == null ? 0 : entry.retryCount();
      duration = policy.delay(attempt, Jitter.fraction(situation, entry.name(), attempt));
    }
    Duration maximum = situation.settings().maximumRetryDelay();
    boolean capped = duration.compareTo(maximum) > 0;
    return new Delay(entry.name(), base, capped ? maximum : duration, asked == null, capped);
  }

  private static @Nullable RetryPolicy policy(Situation situation, String check) {
    CheckPolicy policy = situation.required().get(check);
    return policy == null ? null : policy.retry();
  }
}
