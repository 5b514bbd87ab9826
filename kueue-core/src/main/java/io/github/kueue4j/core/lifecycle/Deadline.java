// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The instant before which a Workload isn't requeued: the latest of base + delay over the required
 * entries in Retry, of alternatives the earliest, in whole seconds rounded up (KEP-3258; {@code
 * docs/lifecycle.md}, "The deadline"). With a reservation the delays of alternatives count from the
 * last refusal among them, and the patch that ends it records that.
 *
 * @param at null if no required Retry has a delay
 * @param delays the delay of each delayed entry, by check name
 */
record Deadline(@Nullable Instant at, SortedMap<String, Delay> delays) {

  /**
   * The delay of one entry.
   *
   * @param base the instant from which it counts
   * @param duration its length, within the bounds
   * @param computed whether the AdmissionCheck's {@code spec.retry} gave it, rather than the entry
   * @param bound which bound replaced it, as messages say it; empty for none
   */
  record Delay(String check, Instant base, Duration duration, boolean computed, String bound) {
    Instant until() {
      return ApiSeconds.ceil(base.plus(duration));
    }

    Delay atMost(Duration longest, String words) {
      return duration.compareTo(longest) > 0
          ? new Delay(check, base, longest, computed, words)
          : this;
    }

    Delay atLeast(Duration shortest) {
      return duration.compareTo(shortest) < 0
          ? new Delay(check, base, shortest, computed, Messages.MINIMUM_DELAY)
          : this;
    }

    /** Whether it is more than what every Retry is delayed by, unless configured otherwise. */
    boolean noticeable() {
      return !bound.equals(Messages.MINIMUM_DELAY)
          || duration.compareTo(LifecycleSettings.DEFAULT_MINIMUM_RETRY_DELAY) > 0;
    }
  }

  Deadline {
    delays = Collections.unmodifiableSortedMap(new TreeMap<>(delays));
  }

  /** The deadline that the entries of {@code situation} set, given when their Retries were seen. */
  static Deadline of(Situation situation, ObservedEntries seen) {
    List<AdmissionCheckState> entries = situation.workload().status().admissionChecks();
    CheckGroups groups = CheckGroups.of(situation);
    List<AdmissionCheckState> retries = groups.retries(entries);
    boolean reserved = situation.workload().conditions().reserved();
    SortedMap<String, Delay> delays = new TreeMap<>();
    for (AdmissionCheckState entry : retries) {
      Instant base = seenAt(entry, seen);
      // While one waited for the last of alternatives its delay did not count yet.
      for (AdmissionCheckState answer :
          reserved ? groups.answers(entry.name(), entries) : List.<AdmissionCheckState>of()) {
        base = CheckGroups.refused(answer) ? ApiSeconds.later(base, seenAt(answer, seen)) : base;
      }
      Delay delay = delay(situation, entry, base);
      if (delay != null) {
        delays.put(entry.name(), delay);
      }
    }
    Instant latest = null;
    for (AdmissionCheckState entry : retries) {
      Instant until = earliest(groups.answers(entry.name(), retries), delays);
      latest = ApiSeconds.laterOrNull(until, latest);
    }
    return new Deadline(latest, delays);
  }

  private static Instant seenAt(AdmissionCheckState refusal, ObservedEntries seen) {
    ObservedEntries.Retry retry = seen.retry(refusal.name());
    ObservedEntries.Wait rejected = seen.wait(refusal.name());
    return retry != null
        ? retry.base()
        : rejected != null ? rejected.since() : refusal.lastTransitionTime();
  }

  /** When the first of alternatives may say yes; null if one has no delay. */
  private static @Nullable Instant earliest(
      List<AdmissionCheckState> alternatives, Map<String, Delay> delays) {
    Instant earliest = null;
    for (AdmissionCheckState entry : alternatives) {
      Delay delay = delays.get(entry.name());
      if (delay == null) {
        return null;
      }
      earliest = ApiSeconds.earlierOrNull(earliest, delay.until());
    }
    return earliest;
  }

  /**
   * The delay of one entry, counted from {@code base}; null if it has none, which takes a {@code
   * minimumRetryDelay} of 0. An absent requeueAfterSeconds is computed, 0 is not absent.
   */
  static @Nullable Delay delay(Situation situation, AdmissionCheckState entry, Instant base) {
    if (!entry.is(CheckState.RETRY)) {
      return null;
    }
    LifecycleSettings settings = situation.settings();
    CheckPolicy policy = situation.required().get(entry.name());
    RetryPolicy retry = policy == null || !settings.acRequeueAfter() ? null : policy.retry();
    Integer asked = settings.acRequeueAfter() ? entry.requeueAfterSeconds() : null;
    boolean computed = asked == null && retry != null;
    Duration duration = Duration.ZERO;
    if (asked != null) {
      // The CRD schema refuses negative delays; one that was stored nevertheless counts as 0.
      duration = Duration.ofSeconds(Math.max(0, asked));
    } else if (retry != null) {
      int attempt = entry.retryCount() == null ? 0 : entry.retryCount();
      duration = retry.delay(attempt, Jitter.fraction(situation, entry.name(), attempt));
    } else if (settings.minimumRetryDelay().isZero()) {
      return null;
    }
    Delay delay = new Delay(entry.name(), base, duration, computed, "");
    Duration longest = policy == null ? null : policy.limits().maxDelay();
    if (longest != null) {
      delay = delay.atMost(longest, Messages.LIMITED_DELAY);
    }
    return delay
        .atMost(settings.maximumRetryDelay(), Messages.MAXIMUM_DELAY)
        .atLeast(settings.minimumRetryDelay());
  }
}
