// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A forecast that was made for a recorded Workload, and what came of it.
 *
 * @param clusterQueue whose quota it waited for
 * @param asked the time of the forecast
 * @param waited for how long it waited from then on; until it was gone or the recording ended if it
 *     got no quota
 * @param reserved whether it got quota
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ForecastOutcome(
    ObjectKey workload,
    String clusterQueue,
    Instant asked,
    QuotaForecast forecast,
    Duration waited,
    boolean reserved) {
  /** Times of the API have no fractions of a second. */
  private static final Duration PRECISION = Duration.ofSeconds(1);

  private static final Duration AT_ONCE = Duration.ofMinutes(1);

  /** Where the wait was, seen from the band that should hold eight of ten. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum BandPlace {
    /** It should get quota at once, and did within a minute: what was preempted had to stop. */
    AT_ONCE,
    /** It got quota within the band. */
    INSIDE,
    /** It got quota before the band. */
    EARLIER,
    /** It got quota after the band, or was still waiting then. */
    LATER,
    /** There was no forecast, or none of a latest time. */
    NOT_KNOWN,
    /** It was gone, or the recording ended, before the band did. */
    UNDECIDED
  }

  public ForecastOutcome {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(clusterQueue, "clusterQueue");
    Objects.requireNonNull(asked, "asked");
    Objects.requireNonNull(forecast, "forecast");
    Objects.requireNonNull(waited, "waited");
  }

  /** Where the wait was. */
  public BandPlace place() {
    Optional<Duration> earliest = forecast.earliest();
    Optional<Duration> latest = forecast.latest();
    if (earliest.isEmpty() || latest.isEmpty()) {
      return BandPlace.NOT_KNOWN;
    }
    if (latest.get().isZero() && waited.compareTo(AT_ONCE) <= 0) {
      return reserved ? BandPlace.AT_ONCE : BandPlace.UNDECIDED;
    }
    if (waited.compareTo(latest.get().plus(PRECISION)) > 0) {
      return BandPlace.LATER;
    }
    if (!reserved) {
      return BandPlace.UNDECIDED;
    }
    return waited.compareTo(earliest.get().minus(PRECISION)) < 0
        ? BandPlace.EARLIER
        : BandPlace.INSIDE;
  }
}
