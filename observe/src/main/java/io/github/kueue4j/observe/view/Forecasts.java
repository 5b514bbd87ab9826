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
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts that viewers ask for. One is computed at a time, and after it none for four times as
 * long, so that they take at most a fifth of a processor; each serves for a quarter of a minute.
 * Thread-safe.
 */
final class Forecasts {
  static final Duration KEPT_FOR = Duration.ofSeconds(15);
  private static final int KEPT = 100;
  private static final int REST = 4;
  private static final Duration LONGEST_REST = Duration.ofSeconds(30);

  /** Those that wait take threads from all other requests. */
  private static final int MOST_WAITING = 4;

  private final Function<ObjectKey, QuotaForecast> forecasts;
  private final InstantSource clock;
  private final InstantSource wireTime;
  private final Duration patience;
  private final Semaphore place = new Semaphore(1, true);

  // Guarded by this; the oldest first.
  private final Map<ForeseenWorkload, TimedForecast> known = new LinkedHashMap<>();

  // Written by the one that computes.
  private volatile Instant restUntil = Instant.EPOCH;

  /** A Workload; another one of its name has another uid. */
  record ForeseenWorkload(ObjectKey key, String uid) {}

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
   * @param clock the core's
   * @param wireTime for how long it takes
   * @param patience for how long a request waits for its turn, in wire time
   */
  Forecasts(
      Function<ObjectKey, QuotaForecast> forecasts,
      InstantSource clock,
      InstantSource wireTime,
      Duration patience) {
    this.forecasts = forecasts;
    this.clock = clock;
    this.wireTime = wireTime;
    this.patience = patience;
  }

  /**
   * The forecast for a Workload, at most a quarter of a minute old.
   *
   * @throws ViewProblem if others are being computed for too long, too many wait for their turn, or
   *     the last one took long
   */
  TimedForecast of(ForeseenWorkload workload) {
    TimedForecast recent = recent(workload);
    if (recent != null) {
      return recent;
    }
    takeTurn();
    try {
      TimedForecast meanwhile = recent(workload);
      if (meanwhile != null) {
        return meanwhile;
      }
      checkRest();
      TimedForecast fresh = computed(workload.key());
      keep(workload, fresh);
      return fresh;
    } finally {
      place.release();
    }
  }

  private TimedForecast computed(ObjectKey workload) {
    Instant begin = wireTime.instant();
    try {
      return new TimedForecast(clock.instant(), forecasts.apply(workload));
    } finally {
      Instant end = wireTime.instant();
      Duration rest = Duration.between(begin, end).multipliedBy(REST);
      restUntil = end.plus(rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest);
    }
  }

  private void checkRest() {
    Duration left = Duration.between(wireTime.instant(), restUntil);
    if (left.isPositive()) {
      throw new ViewProblem(
          503,
          "the last forecast took long, so the next waits a while to leave time to the scheduler;"
              + " ask again in %d s".formatted(left.toSeconds() + 1));
    }
  }

  private void takeTurn() {
    try {
      if (place.getQueueLength() < MOST_WAITING
          && place.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ViewProblem(503, "the request took too long or the core ends");
    }
    throw new ViewProblem(
        503, "another forecast is being computed, and one at a time is; ask again in some seconds");
  }

  private synchronized @Nullable TimedForecast recent(ForeseenWorkload workload) {
    Instant now = clock.instant();
    known.values().removeIf(each -> !each.serves(now));
    return known.get(workload);
  }

  private synchronized void keep(ForeseenWorkload workload, TimedForecast forecast) {
    known.put(workload, forecast);
    if (known.size() > KEPT) {
      known.remove(known.keySet().iterator().next());
    }
  }
}
