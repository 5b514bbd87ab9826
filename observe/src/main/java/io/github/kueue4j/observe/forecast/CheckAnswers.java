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
 * waited meanwhile, so that others get quota earlier. When the Retry came isn't kept in the
 * Workload: it is taken to come as fast as a Ready.
 */
record CheckAnswers(List<Answered> known) {
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
    answers.forEach((queue, some) -> known.put(queue, new CheckAnswers(some)));
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
    return retries() == 0
        ? this
        : new CheckAnswers(
            known.stream().map(any -> known.get(random.nextInt(known.size()))).toList());
  }

  private int retries() {
    return known.stream().mapToInt(Answered::retries).sum();
  }

  /**
   * For how long a Workload holds quota in all until a Retry; empty if the answer is Ready.
   *
   * @param held for how long it has waited for the answer
   */
  Optional<Duration> retry(Duration held, RandomGenerator random) {
    int retries = retries();
    if (retries == 0
        || known.size() < QuotaHistory.FEWEST
        || random.nextInt(retries + known.size()) >= retries) {
      return Optional.empty();
    }
    List<Duration> longer =
        known.stream().map(Answered::took).filter(took -> took.compareTo(held) > 0).toList();
    return Optional.of(longer.isEmpty() ? held : longer.get(random.nextInt(longer.size())));
  }
}
