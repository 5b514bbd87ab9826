// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.observe.forecast.QuotaForecast;
import io.github.kueue4j.observe.recording.ForecastOutcome.BandPlace;
import io.github.kueue4j.observe.recording.ForecastOutcome.WaitEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForecastOutcomeTest {
  private static final Instant ASKED = Instant.parse("2026-01-05T00:00:00Z");

  /** All in seconds after the forecast. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          # earliest, latest, waited, end, recorded, place
          -,   -,   100, RESERVED,        1000, NOT_KNOWN
          100, 200,  98, RESERVED,        1000, EARLIER
          100, 200,  99, RESERVED,        1000, INSIDE
          100, 200, 201, RESERVED,        1000, INSIDE
          100, 200, 202, RESERVED,        1000, LATER
          # What counts is decided by the band alone, not by what came of it.
          100, 200,  50, RESERVED,         200, UNDECIDED
          100, 200, 150, RESERVED,         200, UNDECIDED
          100, 200, 200, RECORDING_ENDED,  200, UNDECIDED
          100, 200,  50, RESERVED,         201, EARLIER
          100, 200, 150, RESERVED,         201, INSIDE
          100, 200, 201, RECORDING_ENDED,  201, LATER
          100, 200,  50, GONE,             200, UNDECIDED
          100, 200,  50, GONE,             201, DELETED
          100, 200, 201, GONE,             300, DELETED
          100, 200, 202, GONE,             300, LATER
          # A band without a known end.
          100, -,    98, RESERVED,        1000, EARLIER
          100, -,    99, RESERVED,        1000, OPEN
          100, -,   900, RESERVED,        1000, OPEN
          100, -,   100, RECORDING_ENDED,  100, OPEN
          100, -,    50, RESERVED,          99, UNDECIDED
          100, -,    50, GONE,            1000, DELETED
          100, -,   101, GONE,            1000, OPEN
          # At once.
          0,   0,    60, RESERVED,        1000, AT_ONCE
          0,   0,    61, RESERVED,        1000, NOT_AT_ONCE
          0,   0,     5, RESERVED,          59, UNDECIDED
          0,   0,    60, RECORDING_ENDED,   60, NOT_AT_ONCE
          0,   0,    60, GONE,            1000, DELETED
          0,   0,    61, GONE,            1000, NOT_AT_ONCE
          # Some runs have it at once, others not.
          0,   200,   0, RESERVED,        1000, INSIDE
          """)
  void aWaitHasItsPlace(
      @Nullable Long earliest,
      @Nullable Long latest,
      long waited,
      WaitEnd end,
      long recorded,
      BandPlace place) {
    QuotaForecast forecast =
        new QuotaForecast(
            seconds(earliest),
            Optional.empty(),
            seconds(latest),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.of(10),
            List.of(),
            Optional.empty(),
            Optional.empty());

    assertThat(
            new ForecastOutcome(
                    new ObjectKey("team", "w"),
                    "q",
                    ASKED,
                    forecast,
                    Duration.ofSeconds(waited),
                    end,
                    ASKED.plusSeconds(recorded))
                .place())
        .isEqualTo(place);
  }

  private static Optional<Duration> seconds(@Nullable Long time) {
    return Optional.ofNullable(time).map(Duration::ofSeconds);
  }
}
