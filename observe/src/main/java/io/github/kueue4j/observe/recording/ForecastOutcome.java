// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A forecast that was made for a recorded Workload, and what came of it.
 *
 * @param clusterQueue whose quota it waited for
 * @param asked the time of the forecast
 * @param waited for how long it waited from then on, until the wait ended as {@code end} says
 * @param end what ended the wait
 * @param recordedUntil the end of the recording
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ForecastOutcome(
    ObjectKey workload,
    String clusterQueue,
    Instant asked,
    QuotaForecast forecast,
    Duration waited,
    WaitEnd end,
    Instant recordedUntil) {
  /** Times of the API have no fractions of a second. */
  private static final Duration PRECISION = Duration.ofSeconds(1);

  private static final Duration AT_ONCE = Duration.ofMinutes(1);

  /** The end of a wait. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum WaitEnd {
    /** The Workload got quota. */
    RESERVED,
    /** It was deleted, or finished, without quota. */
    GONE,
    /** The recording ended, and it still waited. */
    RECORDING_ENDED
  }

  /** Where the wait was, seen from the band that should hold eight of ten. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum BandPlace {
    /** It should get quota at once, and did within a minute: what was preempted had to stop. */
    AT_ONCE,
    /** It should get quota at once, and waited for more than a minute. */
    NOT_AT_ONCE,
    /** It got quota within the band. */
    INSIDE,
    /** It got quota before the band. */
    EARLIER,
    /** It got quota after the band, or was still waiting then. */
    LATER,
    /** The band has no known end, and the wait ended after its beginning. */
    OPEN,
    /** There was no forecast. */
    NOT_KNOWN,
    /** It was deleted, or finished without quota, before the band ended. */
    DELETED,
    /**
     * The recording ends too early to tell. That is decided by the band alone: if the long waits
     * were left out and the short ones with the same band counted, bands would seem to end late.
     */
    UNDECIDED
  }

  public ForecastOutcome {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(clusterQueue, "clusterQueue");
    Objects.requireNonNull(asked, "asked");
    Objects.requireNonNull(forecast, "forecast");
    Objects.requireNonNull(waited, "waited");
    Objects.requireNonNull(end, "end");
    Objects.requireNonNull(recordedUntil, "recordedUntil");
  }

  /** The same if the recording ends then. */
  ForecastOutcome recordedUntil(Instant time) {
    return new ForecastOutcome(workload, clusterQueue, asked, forecast, waited, end, time);
  }

  /** Where the wait was; times count as equal up to a second. */
  public BandPlace place() {
    if (forecast.earliest().isEmpty()) {
      return BandPlace.NOT_KNOWN;
    }
    Duration earliest = forecast.earliest().get();
    boolean open = forecast.latest().isEmpty();
    boolean atOnce = forecast.latest().filter(Duration::isZero).isPresent();
    Duration decided = atOnce ? AT_ONCE : forecast.latest().map(PRECISION::plus).orElse(earliest);
    if (Duration.between(asked, recordedUntil).compareTo(decided) < 0) {
      return BandPlace.UNDECIDED;
    }
    boolean after = end == WaitEnd.RECORDING_ENDED || waited.compareTo(decided) > 0;
    if (end == WaitEnd.GONE && !after) {
      return BandPlace.DELETED;
    }
    if (atOnce) {
      return after ? BandPlace.NOT_AT_ONCE : BandPlace.AT_ONCE;
    }
    if (waited.compareTo(earliest.minus(PRECISION)) < 0) {
      return BandPlace.EARLIER;
    }
    return open ? BandPlace.OPEN : after ? BandPlace.LATER : BandPlace.INSIDE;
  }
}
