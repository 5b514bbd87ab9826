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
 * @param at null if no required Retry has a delay, or with the gate off
 * @param delays what each delayed entry contributes, by name
 */
record Deadline(@Nullable Instant at, SortedMap<String, Delay> delays) {

  /**
   * The contribution of one entry.
   *
   * @param base from when it counts
   * @param duration how long, after the cap
   * @param computed whether {@code spec.retry} gave it, not the check
   * @param capped whether the configured maximum cut it
   */
  record Delay(String check, Instant base, Duration duration, boolean computed, boolean capped) {
    Instant until() {
      return Stamps.ceil(base.plus(duration));
    }
  }

  static final Deadline NONE = new Deadline(null, new TreeMap<>());

  Deadline {
    delays = Collections.unmodifiableSortedMap(new TreeMap<>(delays));
  }

  /** The deadline set by the entries of {@code situation}, given what has been seen of them. */
  static Deadline of(Situation situation, Sightings seen) {
    if (!situation.settings().acRequeueAfter()) {
      return NONE;
    }
    Instant latest = null;
    SortedMap<String, Delay> delays = new TreeMap<>();
    for (AdmissionCheckState entry :
        new Reading(situation.workload()).retries(situation.required().keySet())) {
      Sightings.Retry sighting = seen.retry(entry.name());
      Delay delay =
          delay(situation, entry, sighting == null ? entry.lastTransitionTime() : sighting.base());
      if (delay != null) {
        delays.put(entry.name(), delay);
        latest = Stamps.later(delay.until(), latest);
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
      // The schema refuses negative delays; one that got in all the same is no delay.
      duration = Duration.ofSeconds(Math.max(0, asked));
    } else {
      RetryPolicy policy = policy(situation, entry.name());
      if (policy == null) {
        return null;
      }
      int attempt = entry.retryCount() == null ? 0 : entry.retryCount();
      duration = policy.delay(attempt, Jitter.draw(situation, entry.name(), attempt));
    }
    Duration maximum = situation.settings().maximumRetryDelay();
    boolean capped = duration.compareTo(maximum) > 0;
    return new Delay(entry.name(), base, capped ? maximum : duration, asked == null, capped);
  }

  /** Whether {@code entry} contributes the whole of the deadline, alone or with others. */
  boolean decidedBy(Delay delay) {
    return delay.until().equals(at);
  }

  private static @Nullable RetryPolicy policy(Situation situation, String check) {
    CheckPolicy policy = situation.required().get(check);
    return policy == null ? null : policy.retry();
  }
}
