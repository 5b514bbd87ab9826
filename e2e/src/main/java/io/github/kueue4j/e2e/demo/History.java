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
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What happened to the Workloads so far, gathered from every version of them that the API showed.
 * The objects alone can't tell afterwards: an admission clears the counts of the checks.
 * Thread-safe.
 */
final class History {
  private record Entry(ObjectKey workload, String check) {}

  private final Map<Entry, Integer> retries = new HashMap<>();
  private final Map<ObjectKey, Duration> waits = new HashMap<>();

  /** A Workload and how long it waited from its creation to its admission. */
  record Wait(ObjectKey workload, Duration duration) {}

  /** Takes in one version of a Workload; versions of one Workload come in their order. */
  synchronized void saw(Workload workload) {
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      int counted = Objects.requireNonNullElse(entry.retryCount(), 0);
      int current = entry.is(CheckState.RETRY) ? counted + 1 : counted;
      retries.merge(new Entry(workload.key(), entry.name()), current, Math::max);
    }
    admittedAt(workload)
        .ifPresent(
            admitted -> waits.put(workload.key(), Duration.between(created(workload), admitted)));
  }

  private static Optional<Instant> admittedAt(Workload workload) {
    return Conditions.find(workload.status().conditions(), WorkloadConditions.ADMITTED)
        .filter(Condition::isTrue)
        .map(Condition::lastTransitionTime);
  }

  private static Instant created(Workload workload) {
    return Objects.requireNonNull(
            workload.metadata().getCreationTimestamp(), "the server sets creationTimestamp")
        .toInstant();
  }

  /** How many Workloads were admitted at least once. */
  synchronized int admitted() {
    return waits.size();
  }

  /** Retry verdicts by check, sorted by its name; checks that never answered Retry have 0. */
  synchronized Map<String, Integer> retriesByCheck() {
    Map<String, Integer> sums = new TreeMap<>();
    retries.forEach((entry, count) -> sums.merge(entry.check(), count, Integer::sum));
    return sums;
  }

  /** The Workload that waited longest for its admission. */
  synchronized Optional<Wait> longestWait() {
    return waits.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(longest -> new Wait(longest.getKey(), longest.getValue()));
  }
}
