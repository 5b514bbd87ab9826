// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
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
 * The events of the Workloads so far, gathered from every version of them that the API showed. The
 * objects alone can't tell afterwards: an admission clears the counts of the checks. Thread-safe.
 */
final class History {
  private record CheckKey(ObjectKey workload, String check) {}

  private final Map<CheckKey, Integer> retries = new HashMap<>();
  private final Map<ObjectKey, Duration> waits = new HashMap<>();

  /** A Workload and how long it waited from its creation to its admission. */
  record Wait(ObjectKey workload, Duration duration) {}

  /** Takes in one version of a Workload; versions of one Workload come in their order. */
  synchronized void saw(Workload workload) {
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      int counted = Objects.requireNonNullElse(entry.retryCount(), 0);
      int current = entry.is(CheckState.RETRY) ? counted + 1 : counted;
      retries.merge(new CheckKey(workload.key(), entry.name()), current, Math::max);
    }
    admittedAt(workload)
        .ifPresent(
            admitted -> waits.put(workload.key(), Duration.between(created(workload), admitted)));
  }

  private static Optional<Instant> admittedAt(Workload workload) {
    return workload.conditions().trueSince(WorkloadConditions.ADMITTED);
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
    retries.forEach((checkKey, count) -> sums.merge(checkKey.check(), count, Integer::sum));
    return sums;
  }

  /** The Workload that waited longest for its admission. */
  synchronized Optional<Wait> longestWait() {
    return waits.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(longest -> new Wait(longest.getKey(), longest.getValue()));
  }
}
