// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Hours of the day that come back on days of the week, such as the nights after working days:
 *
 * <pre>{@code
 * TimeWindow nights =
 *     TimeWindow.daily(LocalTime.of(22, 0), LocalTime.of(6, 0), ZoneId.of("Europe/Berlin"))
 *         .onWeekdays();
 * return nights.isOpen(evaluation.now())
 *     ? Verdict.ready("It is night.")
 *     : Verdict.retry(CLOSED, "It is closed; queued again in {delay}.", Backoff.untilOpen(nights));
 * }</pre>
 *
 * <p>Safe across changes of daylight saving time: a time that the day skips counts as that much
 * later, one that the day shows twice counts when first shown.
 *
 * @param opens the time of day at which the window opens
 * @param closes the time of day at which it closes: of the next day if it isn't after {@code opens}
 * @param days on which it opens, at least one
 * @param zone whose clocks count
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TimeWindow(LocalTime opens, LocalTime closes, Set<DayOfWeek> days, ZoneId zone) {

  /** A week and the day before it, with a day to spare where a zone skips one. */
  private static final int DAYS_AHEAD = 9;

  /**
   * @throws IllegalArgumentException if there is no day
   */
  public TimeWindow {
    if (days.isEmpty()) {
      throw new IllegalArgumentException("a window that opens on no day of the week never opens");
    }
    days = Set.copyOf(days);
  }

  /** A window that opens every day. */
  public static TimeWindow daily(LocalTime opens, LocalTime closes, ZoneId zone) {
    return new TimeWindow(opens, closes, EnumSet.allOf(DayOfWeek.class), zone);
  }

  /**
   * The same hours, of windows that open on these days only.
   *
   * @throws IllegalArgumentException if there is no day
   */
  public TimeWindow on(Set<DayOfWeek> others) {
    return new TimeWindow(opens, closes, others, zone);
  }

  /** The same hours, of windows that open on Monday to Friday only. */
  public TimeWindow onWeekdays() {
    return on(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY));
  }

  /** Whether it is open; it is when it opens, and no longer when it closes. */
  public boolean isOpen(Instant now) {
    LocalDate today = now.atZone(zone).toLocalDate();
    return isOpen(now, today.minusDays(1)) || isOpen(now, today);
  }

  private boolean isOpen(Instant now, LocalDate day) {
    LocalDate last = closes.isAfter(opens) ? day : day.plusDays(1);
    return days.contains(day.getDayOfWeek())
        && !now.isBefore(moment(day, opens))
        && now.isBefore(moment(last, closes));
  }

  /** The first moment after this one at which it opens. */
  public Instant nextOpening(Instant now) {
    LocalDate day = now.atZone(zone).toLocalDate();
    for (int ahead = 0; ahead < DAYS_AHEAD; ahead++) {
      Instant opening = moment(day.plusDays(ahead), opens);
      if (days.contains(day.plusDays(ahead).getDayOfWeek()) && opening.isAfter(now)) {
        return opening;
      }
    }
    throw new IllegalStateException("no day of a week is one of " + days);
  }

  private Instant moment(LocalDate day, LocalTime time) {
    return day.atTime(time).atZone(zone).toInstant();
  }
}
