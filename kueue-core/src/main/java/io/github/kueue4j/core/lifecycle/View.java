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
import io.github.kueue4j.api.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * A situation at an instant, with everything worked out that more than one rule asks for.
 *
 * @param seen the sightings, brought up to date with the object
 */
record View(
    Situation situation,
    Instant now,
    Reading reading,
    Phase phase,
    Sightings seen,
    Deadline deadline) {

  static View of(Situation situation, Instant now) {
    Sightings seen = Observation.of(situation, now);
    return new View(
        situation,
        now,
        new Reading(situation.workload()),
        situation.phase(),
        seen,
        Deadline.of(situation, seen));
  }

  /** The view after {@code workload} has been written. */
  View after(Workload workload, Sightings applied) {
    return of(situation.withWorkload(workload).withSightings(applied), now);
  }

  /** The view as if the entries had been written so by their checks. */
  View withEntries(List<AdmissionCheckState> entries) {
    Workload workload = workload();
    return after(
        workload.withStatus(workload.status().withAdmissionChecks(entries)), situation.sightings());
  }

  Workload workload() {
    return situation.workload();
  }

  SortedMap<String, CheckPolicy> policies() {
    return situation.required();
  }

  Set<String> required() {
    return policies().keySet();
  }

  /** The required entries in Retry, by name. */
  List<AdmissionCheckState> retries() {
    return reading.retries(required());
  }

  /** What every lastTransitionTime becomes that this plan moves: max(now, QuotaReserved's). */
  Instant stamp() {
    return Stamps.later(Stamps.floor(now), reading.quotaReservedSince());
  }
}
