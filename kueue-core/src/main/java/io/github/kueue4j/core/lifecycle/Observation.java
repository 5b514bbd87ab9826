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
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings the sightings up to date with the object that was just read.
 *
 * <p>A Retry is known by its lastTransitionTime. One that wasn't known is counted from that time if
 * it lies within the last two seconds of the core's own clock, otherwise from now. After a restart,
 * lastTransitionTime + delay ≤ requeueAt proves that an earlier process had recorded it.
 */
final class Observation {
  /** How far a check's clock may lag before it is distrusted; the API stores whole seconds. */
  private static final Duration TRUSTED_LAG = Duration.ofSeconds(2);

  private Observation() {}

  static Sightings of(Situation situation, Instant now) {
    Sightings before = situation.sightings();
    Reading reading = new Reading(situation.workload());
    Map<String, Sightings.Retry> retries = new TreeMap<>();
    Map<String, Sightings.Wait> waits = new TreeMap<>();
    for (AdmissionCheckState entry : reading.entries()) {
      if (entry.is(CheckState.RETRY)) {
        Sightings.Retry known = before.retry(entry.name());
        retries.put(
            entry.name(),
            known != null && known.matches(entry.lastTransitionTime())
                ? known
                : firstSight(situation, entry, reading.requeueAt(), now));
      } else if (reading.reserved()) {
        Instant from = Stamps.later(entry.lastTransitionTime(), reading.quotaReservedSince());
        Sightings.Wait known = before.wait(entry.name());
        waits.put(
            entry.name(),
            known != null && known.identity().equals(from)
                ? known
                : new Sightings.Wait(from, from.isAfter(now) ? now : from));
      }
    }
    return before.with(retries, waits);
  }

  private static Sightings.Retry firstSight(
      Situation situation, AdmissionCheckState entry, @Nullable Instant requeueAt, Instant now) {
    Instant written = entry.lastTransitionTime();
    boolean trusted = !written.isBefore(now.minus(TRUSTED_LAG)) && !written.isAfter(now);
    boolean recorded =
        situation.sightings().restarted() && recordedIn(requeueAt, situation, entry, written);
    // First sight is rounded up like every "not before", or the recorded value would promise less.
    return new Sightings.Retry(written, trusted || recorded ? written : Stamps.ceil(now));
  }

  private static boolean recordedIn(
      @Nullable Instant requeueAt, Situation situation, AdmissionCheckState entry, Instant base) {
    Deadline.Delay delay = Deadline.delay(situation, entry, base);
    return requeueAt != null && delay != null && !delay.until().isAfter(requeueAt);
  }
}
