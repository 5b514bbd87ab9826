// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeWindowTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final TimeWindow NIGHTS =
      TimeWindow.daily(LocalTime.of(22, 0), LocalTime.of(6, 0), BERLIN);

  @ParameterizedTest
  @CsvSource({
    // Monday, 1 June 2026, two hours before UTC.
    "2026-06-01T19:59:59Z, false, 2026-06-01T20:00:00Z",
    "2026-06-01T20:00:00Z, true, 2026-06-02T20:00:00Z",
    "2026-06-02T03:59:59Z, true, 2026-06-02T20:00:00Z",
    "2026-06-02T04:00:00Z, false, 2026-06-02T20:00:00Z",
    // The nights of seven and of nine hours.
    "2026-03-29T03:59:59Z, true, 2026-03-29T20:00:00Z",
    "2026-03-29T04:00:00Z, false, 2026-03-29T20:00:00Z",
    "2026-10-25T04:59:59Z, true, 2026-10-25T21:00:00Z",
    "2026-10-25T05:00:00Z, false, 2026-10-25T21:00:00Z",
  })
  void aWindowAcrossMidnight(Instant now, boolean open, Instant next) {
    assertThat(NIGHTS.isOpen(now)).isEqualTo(open);
    assertThat(NIGHTS.nextOpening(now)).isEqualTo(next);
  }

  @ParameterizedTest
  @CsvSource({
    // Friday's night lasts until Saturday morning; Saturday's and Sunday's nights aren't any.
    "2026-06-06T03:00:00Z, true, 2026-06-08T20:00:00Z",
    "2026-06-06T21:00:00Z, false, 2026-06-08T20:00:00Z",
    "2026-06-08T03:00:00Z, false, 2026-06-08T20:00:00Z",
    "2026-06-08T20:00:00Z, true, 2026-06-09T20:00:00Z",
  })
  void theDayIsThatOfTheOpening(Instant now, boolean open, Instant next) {
    TimeWindow workNights = NIGHTS.onWeekdays();

    assertThat(workNights.isOpen(now)).isEqualTo(open);
    assertThat(workNights.nextOpening(now)).isEqualTo(next);
  }

  @Test
  void hoursThatTheDaySkipsComeLater() {
    TimeWindow early = TimeWindow.daily(LocalTime.of(2, 15), LocalTime.of(2, 45), BERLIN);

    assertThat(early.isOpen(Instant.parse("2026-03-29T01:20:00Z"))).isTrue();
    assertThat(early.isOpen(Instant.parse("2026-03-29T00:50:00Z"))).isFalse();
  }

  @Test
  void openAndCloseAtTheSameTimeIsTheWholeDay() {
    TimeWindow sundays =
        TimeWindow.daily(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, ZoneId.of("UTC"))
            .on(Set.of(DayOfWeek.SUNDAY));

    assertThat(sundays.isOpen(Instant.parse("2026-06-06T23:59:59Z"))).isFalse();
    assertThat(sundays.isOpen(Instant.parse("2026-06-07T00:00:00Z"))).isTrue();
    assertThat(sundays.isOpen(Instant.parse("2026-06-07T23:59:59Z"))).isTrue();
    assertThat(sundays.isOpen(Instant.parse("2026-06-08T00:00:00Z"))).isFalse();
    assertThat(sundays.nextOpening(Instant.parse("2026-06-07T00:00:00Z")))
        .isEqualTo("2026-06-14T00:00:00Z");
  }

  /** In any week of some decades, a zone's whole-day leaps included. */
  @Property(tries = 500)
  void theNextOpeningIsOpenAndNoneLiesBefore(
      @ForAll @LongRange(min = 1_300_000_000, max = 2_000_000_000) long second) {
    Instant now = Instant.ofEpochSecond(second);
    for (String zone : new String[] {"Pacific/Apia", "America/New_York", "Asia/Kathmandu"}) {
      TimeWindow window =
          TimeWindow.daily(LocalTime.of(21, 0), LocalTime.of(1, 30), ZoneId.of(zone)).onWeekdays();

      Instant next = window.nextOpening(now);

      assertThat(next).isAfter(now);
      assertThat(window.isOpen(next)).isTrue();
      assertThat(window.isOpen(next.minusNanos(1))).isFalse();
      assertThat(Duration.between(now, next)).isLessThanOrEqualTo(Duration.ofDays(5));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // From Friday, 5 June, 18:00 to Monday, 8:00, two hours before UTC.
    "2026-06-05T15:59:59Z, false, 2026-06-08T06:00:00Z",
    "2026-06-05T16:00:00Z, true, 2026-06-08T06:00:00Z",
    "2026-06-08T05:59:59Z, true, 2026-06-08T06:00:00Z",
    "2026-06-08T06:00:00Z, false, 2026-06-15T06:00:00Z",
    // The weekend of 61 hours.
    "2026-03-27T17:00:00Z, true, 2026-03-30T06:00:00Z",
  })
  void aWindowOfSeveralDays(Instant now, boolean open, Instant closing) {
    TimeWindow freeze =
        TimeWindow.weekly(
            DayOfWeek.FRIDAY, LocalTime.of(18, 0), DayOfWeek.MONDAY, LocalTime.of(8, 0), BERLIN);

    assertThat(freeze.isOpen(now)).isEqualTo(open);
    assertThat(freeze.nextClosing(now)).isEqualTo(closing);
  }

  @Test
  void itClosesWhereNoOtherOpeningFollows() {
    TimeWindow wholeWorkDays =
        TimeWindow.daily(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, ZoneId.of("UTC")).onWeekdays();
    assertThat(wholeWorkDays.nextClosing(Instant.parse("2026-06-02T12:00:00Z")))
        .as("Saturday begins")
        .isEqualTo("2026-06-06T00:00:00Z");

    TimeWindow weeks =
        TimeWindow.weekly(
            DayOfWeek.MONDAY, LocalTime.NOON, DayOfWeek.MONDAY, LocalTime.NOON, BERLIN);
    assertThat(weeks.isOpen(Instant.parse("2026-06-02T12:00:00Z"))).isTrue();
    assertThatThrownBy(() -> weeks.nextClosing(Instant.parse("2026-06-02T12:00:00Z")))
        .hasMessageContaining("never closes");
  }

  @Test
  void aWindowThatClosesBeforeItOpensIsRefused() {
    assertThatThrownBy(
            () -> new TimeWindow(LocalTime.NOON, LocalTime.NOON, 0, NIGHTS.days(), BERLIN))
        .hasMessageContaining("can't close at 12:00, 0 days later");
  }

  @Test
  void aWindowThatNeverOpensIsRefused() {
    assertThatThrownBy(() -> NIGHTS.on(Set.of())).hasMessageContaining("never opens");
  }
}
