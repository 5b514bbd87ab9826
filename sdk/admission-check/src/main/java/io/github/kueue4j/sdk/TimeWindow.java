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
 * A time that comes back each day or each week, such as the nights after working days, or a change
 * freeze from Friday to Monday:
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
 * <p>A freeze, in which nothing goes:
 *
 * <pre>{@code
 * TimeWindow freeze =
 *     TimeWindow.weekly(
 *         DayOfWeek.FRIDAY,
 *         LocalTime.of(18, 0),
 *         DayOfWeek.MONDAY,
 *         LocalTime.of(8, 0),
 *         ZoneId.of("Europe/Berlin"));
 * return freeze.isOpen(evaluation.now())
 *     ? Verdict.retry(CLOSED, "Frozen; queued again in {delay}.", Backoff.untilClosed(freeze))
 *     : Verdict.ready("There is no freeze.");
 * }</pre>
 *
 * <p>Safe across changes of daylight saving time: a time that the day skips counts as that much
 * later, one that the day shows twice counts when first shown.
 *
 * <p>Rejected: cron expressions. An expression names moments, not the time between them, so a
 * window would need two, which need not match.
 *
 * @param opens the time of day at which the window opens
 * @param closes the time of day at which it closes
 * @param daysLater how many days after its opening it closes, 0 to 7
 * @param days on which it opens, at least one
 * @param zone whose clocks count
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TimeWindow(
    LocalTime opens, LocalTime closes, int daysLater, Set<DayOfWeek> days, ZoneId zone) {
  private static final int WEEK = 7;

  /** A week and the day before it, with a day to spare where a zone skips one. */
  private static final int DAYS_AHEAD = 9;

  /**
   * @throws IllegalArgumentException if there is no day, or it closes before it opens or more than
   *     a week later
   */
  public TimeWindow {
    if (daysLater < 0 || daysLater > WEEK || (daysLater == 0 && !closes.isAfter(opens))) {
      throw new IllegalArgumentException(
          "a window that opens at %s can't close at %s, %d days later"
              .formatted(opens, closes, daysLater));
    }
    if (days.isEmpty()) {
      throw new IllegalArgumentException("a window that opens on no day of the week never opens");
    }
    days = Set.copyOf(days);
  }

  /**
   * A window that opens every day.
   *
   * @param closes of the next day if it isn't after {@code opens}
   */
  public static TimeWindow daily(LocalTime opens, LocalTime closes, ZoneId zone) {
    return new TimeWindow(
        opens, closes, closes.isAfter(opens) ? 0 : 1, EnumSet.allOf(DayOfWeek.class), zone);
  }

  /**
   * A window that opens once a week, for up to a week. One that opens for some hours on several
   * days of the week is {@code daily(...).onWeekdays()}, or {@code daily(...).on(days)}.
   *
   * @param closesOn the day on which it closes: of the next week if that isn't after its opening
   */
  public static TimeWindow weekly(
      DayOfWeek opensOn, LocalTime opens, DayOfWeek closesOn, LocalTime closes, ZoneId zone) {
    int later = Math.floorMod(closesOn.getValue() - opensOn.getValue(), WEEK);
    int daysLater = later == 0 && !closes.isAfter(opens) ? WEEK : later;
    return new TimeWindow(opens, closes, daysLater, EnumSet.of(opensOn), zone);
  }

  /**
   * The same hours, of windows that open on these days only.
   *
   * @throws IllegalArgumentException if there is no day
   */
  public TimeWindow on(Set<DayOfWeek> others) {
    return new TimeWindow(opens, closes, daysLater, others, zone);
  }

  /** The same hours, of windows that open on Monday to Friday only. */
  public TimeWindow onWeekdays() {
    return on(EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY));
  }

  /** Whether it is open; it is when it opens, and no longer when it closes. */
  public boolean isOpen(Instant now) {
    return closing(now).isAfter(now);
  }

  /**
   * The first moment after this one at which it closes and doesn't open again at once.
   *
   * @throws IllegalStateException if it never closes, as one that opens every day for a day
   */
  public Instant nextClosing(Instant now) {
    Instant end = isOpen(now) ? now : nextOpening(now);
    for (int openings = 0; openings < DAYS_AHEAD; openings++) {
      Instant later = closing(end);
      if (!later.isAfter(end)) {
        return end;
      }
      end = later;
    }
    throw new IllegalStateException(
        "a window that is open from %s to %s, %d days later, on each of %s never closes"
            .formatted(opens, closes, daysLater, days));
  }

  /** The last closing of those openings during which it is open now; now if it isn't open. */
  private Instant closing(Instant now) {
    LocalDate today = now.atZone(zone).toLocalDate();
    Instant last = now;
    for (int ago = 0; ago <= daysLater; ago++) {
      LocalDate day = today.minusDays(ago);
      Instant closing = moment(day.plusDays(daysLater), closes);
      if (days.contains(day.getDayOfWeek())
          && !now.isBefore(moment(day, opens))
          && closing.isAfter(last)) {
        last = closing;
      }
    }
    return last;
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
