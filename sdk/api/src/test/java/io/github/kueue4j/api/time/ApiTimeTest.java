// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiTimeTest {

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T12:00:00+08:00, 2026-11-21T04:00:00Z",
    "2026-11-21T00:30:00-01:00, 2026-11-21T01:30:00Z",
    "2026-11-21T12:00:00.987654Z, 2026-11-21T12:00:00Z",
    "1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
    "2100-02-28T23:59:59Z, 2100-02-28T23:59:59Z",
  })
  void anyOffsetIsReadAndUtcIsWritten(String text, String written) {
    assertThat(ApiTime.format(ApiTime.parse(text))).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-11-21",
        "2026-11-21T12:00:00",
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z"
      })
  void refusesInvalidTimes(String text) {
    assertThatThrownBy(() -> ApiTime.parse(text)).isInstanceOf(DateTimeException.class);
  }

  /** Numbers that are no date or time are among these: then both refuse, in the same words. */
  @Property(tries = 1000)
  void readsWhatTheJdkReads(
      @ForAll @IntRange(max = 9999) int year,
      @ForAll @IntRange(max = 13) int month,
      @ForAll @IntRange(max = 32) int day,
      @ForAll @IntRange(max = 24) int hour,
      @ForAll @IntRange(max = 60) int minute,
      @ForAll @IntRange(max = 60) int second,
      @ForAll("ends") String end) {
    String text =
        String.format(
            Locale.ROOT,
            "%04d-%02d-%02dT%02d:%02d:%02d%s",
            year,
            month,
            day,
            hour,
            minute,
            second,
            end);

    assertThat(outcome(text, ApiTime::parse))
        .isEqualTo(outcome(text, each -> OffsetDateTime.parse(each).toInstant()));
  }

  @Provide
  Arbitrary<String> ends() {
    return Arbitraries.frequency(Tuple.of(8, "Z"), Tuple.of(1, "z"), Tuple.of(1, "+01:00"));
  }

  private static String outcome(String text, Function<String, Instant> read) {
    try {
      return read.apply(text).toString();
    } catch (DateTimeException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  @Test
  void microTimesAlwaysHaveSixDecimals() {
    assertThat(ApiTime.formatMicro(Instant.parse("2026-01-01T00:00:00Z")))
        .isEqualTo("2026-01-01T00:00:00.000000Z");
  }

  @Test
  void roundsUpToWholeSeconds() {
    Instant whole = Instant.parse("2026-01-01T00:00:00Z");

    assertThat(ApiTime.roundUpToSecond(whole)).isEqualTo(whole);
    assertThat(ApiTime.roundUpToSecond(whole.plusNanos(1))).isEqualTo(whole.plusSeconds(1));
    assertThat(ApiTime.roundUpToSecond(Instant.EPOCH.minusNanos(1))).isEqualTo(Instant.EPOCH);
  }

  @ParameterizedTest
  @CsvSource({
    "1h30m, PT1H30M, 1h30m0s",
    "90m, PT1H30M, 1h30m0s",
    "1.5h, PT1H30M, 1h30m0s",
    "45s, PT45S, 45s",
    "1m5.5s, PT1M5.5S, 1m5.5s",
    "500ms, PT0.5S, 500ms",
    "1500ms, PT1.5S, 1.5s",
    "2us, PT0.000002S, 2µs",
    "7ns, PT0.000000007S, 7ns",
    "0, PT0S, 0s",
    "0s, PT0S, 0s",
    "-1.5s, PT-1.5S, -1.5s",
    "+3s, PT3S, 3s",
    "25h, PT25H, 25h0m0s",
    "10m, PT10M, 10m0s",
  })
  void durationsAreReadAndWrittenLikeTheApi(String text, Duration duration, String written) {
    assertThat(GoDuration.parse(text)).isEqualTo(duration);
    assertThat(GoDuration.format(duration)).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "s", "1d", "1h 30m", "h1", "1h30", "PT5M", "1..5s", "-", "9999999999h"})
  void refusesInvalidDurations(String text) {
    assertThatThrownBy(() -> GoDuration.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\"");
    assertThat(GoDuration.isDuration(text)).isFalse();
  }

  @Property
  void everyDurationReadsAsWritten(@ForAll @LongRange(min = -Long.MAX_VALUE) long nanos) {
    Duration duration = Duration.ofNanos(nanos);

    assertThat(GoDuration.parse(GoDuration.format(duration))).isEqualTo(duration);
  }
}
