// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class WindowTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  // A Wednesday.
  private static final Instant NOW = Instant.parse("2026-06-03T08:00:00Z");

  @Test
  void calendarsBeginAtMidnightOfTheirZone() {
    assertThat(Window.daily(BERLIN).start(NOW)).isEqualTo("2026-06-02T22:00:00Z");
    assertThat(Window.daily(BERLIN).end(NOW)).isEqualTo("2026-06-03T22:00:00Z");
    assertThat(Window.weekly(DayOfWeek.SUNDAY, BERLIN).start(NOW))
        .isEqualTo("2026-05-30T22:00:00Z");
    assertThat(Window.weekly(DayOfWeek.SUNDAY, BERLIN).end(NOW)).isEqualTo("2026-06-06T22:00:00Z");
    assertThat(Window.monthly(BERLIN).start(NOW)).isEqualTo("2026-05-31T22:00:00Z");
    assertThat(Window.monthly(BERLIN).end(NOW)).isEqualTo("2026-06-30T22:00:00Z");
  }

  @Test
  void theDayOfTheChangeToSummerTimeHas23Hours() {
    Instant sunday = Instant.parse("2026-03-29T10:00:00Z");
    Window day = Window.daily(BERLIN);

    assertThat(Duration.between(day.start(sunday), day.end(sunday))).hasHours(23);
  }

  @Test
  void aRollingWindowCountsAtLeastItsLength() {
    Window week = Window.rolling(Duration.ofDays(7));

    assertThat(Duration.between(week.start(NOW), NOW))
        .isBetween(Duration.ofDays(7), Duration.ofDays(7).plus(Duration.ofDays(7).dividedBy(48)));
    assertThat(week.slot(NOW).to()).isEqualTo(week.end(NOW)).isAfter(NOW);
  }
}
