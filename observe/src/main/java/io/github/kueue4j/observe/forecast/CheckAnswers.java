// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.SchedulingStats;
import io.github.kueue4j.api.SchedulingStatsEviction;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * How often the checks of a ClusterQueue answer a reservation with Retry, by the Workloads that
 * they let through in the end. Such a Workload gives its quota back and queues behind those that
 * waited meanwhile, so that others get quota earlier, unless their priority is lower. When the
 * Retry came isn't kept in the Workload: it is taken to come as fast as a Ready.
 *
 * @param known the Workloads that they let through
 * @param retries how often they answered these with Retry
 */
record CheckAnswers(List<Answered> known, int retries) {
  /**
   * A Workload that was let through.
   *
   * @param retries how often it was evicted by a Retry before
   * @param took the time from its last reservation to its admission
   */
  record Answered(int retries, Duration took) {}

  CheckAnswers {
    known = List.copyOf(known);
  }

  private static CheckAnswers of(List<Answered> known) {
    return new CheckAnswers(known, known.stream().mapToInt(Answered::retries).sum());
  }

  /** The answers by ClusterQueue. */
  static Map<String, CheckAnswers> of(Collection<Workload> workloads) {
    Map<String, List<Answered>> answers = new HashMap<>();
    for (Workload workload : workloads) {
      Admission admission = workload.status().admission();
      if (admission != null && !workload.status().admissionChecks().isEmpty()) {
        took(workload.conditions())
            .ifPresent(
                took ->
                    answers
                        .computeIfAbsent(admission.clusterQueue(), any -> new ArrayList<>())
                        .add(new Answered(retries(workload), took)));
      }
    }
    Map<String, CheckAnswers> known = new HashMap<>();
    answers.forEach((queue, some) -> known.put(queue, of(some)));
    return known;
  }

  /** The time from the reservation to the admission of a Workload that has both. */
  static Optional<Duration> took(WorkloadConditions conditions) {
    return conditions
        .trueSince(WorkloadConditions.QUOTA_RESERVED)
        .flatMap(
            reserved ->
                conditions
                    .trueSince(WorkloadConditions.ADMITTED)
                    .map(admitted -> Duration.between(reserved, admitted)));
  }

  private static int retries(Workload workload) {
    SchedulingStats stats = workload.status().schedulingStats();
    return Stream.ofNullable(stats)
        .flatMap(each -> each.evictions().stream())
        .filter(each -> each.reason().equals(EvictionReasons.ADMISSION_CHECK))
        .mapToInt(SchedulingStatsEviction::count)
        .sum();
  }

  /** Other answers that might as well have been. */
  CheckAnswers resampled(RandomGenerator random) {
    return retries == 0
        ? this
        : of(known.stream().map(any -> known.get(random.nextInt(known.size()))).toList());
  }

  /**
   * The time from a reservation to a Retry; empty if the answer is Ready.
   *
   * @param waited for how long the Workload has waited for the answer
   */
  Optional<Duration> retry(Duration waited, RandomGenerator random) {
    if (retries == 0
        || known.size() < QuotaHistory.FEWEST
        || random.nextInt(retries + known.size()) >= retries) {
      return Optional.empty();
    }
    // The times of conditions have no fractions of a second: an answer may have taken none.
    List<Duration> longer =
        known.stream()
            .map(Answered::took)
            .filter(took -> waited.toSeconds() == 0 || took.compareTo(waited) > 0)
            .toList();
    return Optional.of(longer.isEmpty() ? waited : longer.get(random.nextInt(longer.size())));
  }
}
