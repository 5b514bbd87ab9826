// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.core.lifecycle.RetryDelay;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Meters of the delays of checks: how many Workloads each check keeps in backoff and until when,
 * while it lasts, and how long the delays were that have ended. Not thread-safe.
 */
final class RetryDelayMeters {
  private static final String WORKLOADS = "kueue4j.check.backoff.workloads";
  private static final String UNTIL = "kueue4j.check.backoff.until.seconds";

  /** From a second to a day, and beyond where that is configured. */
  private static final Duration[] DELAYS = CoreMetrics.bounds(18);

  private final MeterRegistry registry;
  private final Tags role;
  private final QueueGauges gauges;

  private final Map<String, DelayedWorkloads> delayed = new HashMap<>();

  /** The Workloads that one check delays. */
  private static final class DelayedWorkloads {
    final TreeMap<Instant, Integer> ends = new TreeMap<>();
    int workloads;

    void count(Instant until, int change) {
      workloads += change;
      if (ends.merge(until, change, Integer::sum) == 0) {
        ends.remove(until);
      }
    }
  }

  RetryDelayMeters(MeterRegistry registry, Tags role) {
    this.registry = registry;
    this.role = role;
    this.gauges = new QueueGauges(registry, role);
  }

  /**
   * The delays of a Workload have changed.
   *
   * @param before by check; empty if it was not in backoff
   * @param now by check; empty if it isn't in backoff any more
   */
  void changed(Map<String, RetryDelay> before, Map<String, RetryDelay> now) {
    if (before.equals(now)) {
      return;
    }
    now.forEach((check, delay) -> count(check, delay.until(), 1));
    before.forEach(
        (check, delay) -> {
          if (!now.containsKey(check)) {
            ended(check, delay);
          }
          count(check, delay.until(), -1);
        });
  }

  private void count(String check, Instant until, int change) {
    DelayedWorkloads ofCheck = delayed.computeIfAbsent(check, name -> new DelayedWorkloads());
    ofCheck.count(until, change);
    Tags tags = Tags.of("check", check);
    if (ofCheck.ends.isEmpty()) {
      gauges.unset(UNTIL, tags);
    } else {
      gauges.set(UNTIL, tags, (double) ofCheck.ends.lastKey().getEpochSecond());
    }
    gauges.set(WORKLOADS, tags, ofCheck.workloads);
  }

  private void ended(String check, RetryDelay delay) {
    Timer.builder("kueue4j.check.retry.delay")
        .tags(role.and("check", check))
        .serviceLevelObjectives(DELAYS)
        .register(registry)
        .record(CoreMetrics.measurable(delay.length()));
  }
}
