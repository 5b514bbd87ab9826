// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.observe.forecast.CheckDurations;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a Workload gets quota: the answer of {@code when}.
 *
 * @param asOf the time of the forecast, which is up to {@link Forecasts#KEPT_FOR} ago
 * @param waits whether it waits for quota
 * @param answer in a few words, as the end of a sentence
 * @param earliest one time in ten it is sooner; null if unknown
 * @param likely half of the times it is sooner; null if unknown
 * @param latest nine times in ten it is sooner; null if unknown
 * @param atMost if all that comes before it takes its maximum execution time; null if unknown
 * @param delayEnds when the delay of a check ends unless a check changes it; null if none delays
 *     it, and in a stopped queue
 * @param basis the same for a person, and on what it is founded
 * @param finished how many finished Workloads of queues that share the quota are known; null if the
 *     viewer may not see all Workloads
 * @param remarks what may lead to another answer
 */
record ShownForecast(
    Instant asOf,
    boolean waits,
    String answer,
    @Nullable Instant earliest,
    @Nullable Instant likely,
    @Nullable Instant latest,
    @Nullable Instant atMost,
    @Nullable Instant delayEnds,
    List<String> basis,
    @Nullable Integer finished,
    List<String> remarks) {

  static ShownForecast of(QuotaForecast forecast, Instant now) {
    return new ShownForecast(
        now,
        true,
        forecast.answer(),
        after(now, forecast.earliest()),
        after(now, forecast.likely()),
        after(now, forecast.latest()),
        after(now, forecast.atMost()),
        after(now, forecast.delayEnds()),
        forecast.basis(),
        forecast.finished().isPresent() ? forecast.finished().getAsInt() : null,
        forecast.remarks());
  }

  /** The answer about a Workload that doesn't wait for quota. */
  static ShownForecast notWaiting(String state, Optional<CheckDurations> checks, Instant now) {
    return new ShownForecast(
        now,
        false,
        state,
        null,
        null,
        null,
        null,
        null,
        checks.stream().map(CheckDurations::words).toList(),
        null,
        List.of());
  }

  private static @Nullable Instant after(Instant now, Optional<Duration> time) {
    return time.map(now::plus).orElse(null);
  }
}
