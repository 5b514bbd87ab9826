// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts that viewers ask for. One is computed at a time, so that they take at most one
 * processor; each serves for a quarter of a minute. Thread-safe.
 */
final class Forecasts {
  static final Duration KEPT_FOR = Duration.ofSeconds(15);
  private static final int KEPT = 100;

  private final Function<ObjectKey, QuotaForecast> forecasts;
  private final InstantSource clock;
  private final Semaphore place = new Semaphore(1);

  // Guarded by this; the oldest first.
  private final Map<ObjectKey, TimedForecast> known = new LinkedHashMap<>();

  /** A forecast with its time by the core's clock. */
  record TimedForecast(Instant time, QuotaForecast forecast) {
    boolean serves(Instant now) {
      return now.isBefore(time.plus(KEPT_FOR));
    }
  }

  /**
   * Forecasts of the core.
   *
   * @param forecasts computes one, which takes its time
   */
  Forecasts(Function<ObjectKey, QuotaForecast> forecasts, InstantSource clock) {
    this.forecasts = forecasts;
    this.clock = clock;
  }

  /**
   * The forecast for a Workload, at most a quarter of a minute old.
   *
   * @throws ViewProblem if another one is being computed
   */
  TimedForecast of(ObjectKey workload) {
    TimedForecast recent = recent(workload);
    if (recent != null) {
      return recent;
    }
    if (!place.tryAcquire()) {
      throw new ViewProblem(
          503,
          "another forecast is being computed, and one at a time is; ask again in some seconds");
    }
    try {
      TimedForecast fresh = new TimedForecast(clock.instant(), forecasts.apply(workload));
      keep(workload, fresh);
      return fresh;
    } finally {
      place.release();
    }
  }

  private synchronized @Nullable TimedForecast recent(ObjectKey workload) {
    Instant now = clock.instant();
    known.values().removeIf(each -> !each.serves(now));
    return known.get(workload);
  }

  private synchronized void keep(ObjectKey workload, TimedForecast forecast) {
    known.put(workload, forecast);
    if (known.size() > KEPT) {
      known.remove(known.keySet().iterator().next());
    }
  }
}
