// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.ledger;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import org.apiguardian.api.API;

/** The time for which a limit holds. */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Window {

  /**
   * A piece of time in which what was spent is added up.
   *
   * @param from whole seconds
   * @param to after {@code from}; no longer part of it
   */
  record Slot(Instant from, Instant to) {}

  /** Since when what was spent counts at this time. */
  Instant start(Instant now);

  /** When the next part of what was spent may stop to count. */
  Instant end(Instant now);

  /** The slot that this moment belongs to. */
  Slot slot(Instant at);

  /** The piece of time by which what was spent is kept when it no longer counts. */
  default Slot period(Instant at) {
    return slot(at);
  }

  /** How a calendar is divided. */
  enum Unit {
    /** At midnight. */
    DAY,
    /** At midnight before the first day of the week. */
    WEEK,
    /** At midnight before the first day of the month. */
    MONTH
  }

  /** Days from midnight to midnight. */
  static Window daily(ZoneId zone) {
    return new Calendar(Unit.DAY, DayOfWeek.MONDAY, zone);
  }

  /** Weeks that begin at midnight of this day. */
  static Window weekly(DayOfWeek firstDay, ZoneId zone) {
    return new Calendar(Unit.WEEK, firstDay, zone);
  }

  /** Months. */
  static Window monthly(ZoneId zone) {
    return new Calendar(Unit.MONTH, DayOfWeek.MONDAY, zone);
  }

  /**
   * The time before now.
   *
   * @param length at least an hour; what is spent counts for this long, and up to 1/48 longer
   */
  static Window rolling(Duration length) {
    return new Rolling(length);
  }

  /**
   * Days, weeks or months of a time zone; one slot each.
   *
   * @param firstDay of a week
   */
  record Calendar(Unit unit, DayOfWeek firstDay, ZoneId zone) implements Window {
    @Override
    public Instant start(Instant now) {
      return midnight(first(now));
    }

    @Override
    public Instant end(Instant now) {
      LocalDate first = first(now);
      return midnight(
          switch (unit) {
            case DAY -> first.plusDays(1);
            case WEEK -> first.plusWeeks(1);
            case MONTH -> first.plusMonths(1);
          });
    }

    @Override
    public Slot slot(Instant at) {
      return new Slot(start(at), end(at));
    }

    private LocalDate first(Instant at) {
      LocalDate day = at.atZone(zone).toLocalDate();
      return switch (unit) {
        case DAY -> day;
        case WEEK -> day.with(TemporalAdjusters.previousOrSame(firstDay));
        case MONTH -> day.withDayOfMonth(1);
      };
    }

    private Instant midnight(LocalDate day) {
      return day.atStartOfDay(zone).toInstant();
    }
  }

  /** The time before now, in slots of 1/48 of it. */
  record Rolling(Duration length) implements Window {
    private static final int SLOTS = 48;

    @Override
    public Instant start(Instant now) {
      return slot(now.minus(length)).from();
    }

    @Override
    public Instant end(Instant now) {
      return slot(now).to();
    }

    @Override
    public Slot slot(Instant at) {
      long width = length.toSeconds() / SLOTS;
      long from = Math.floorDiv(at.getEpochSecond(), width) * width;
      return new Slot(Instant.ofEpochSecond(from), Instant.ofEpochSecond(from + width));
    }

    /** A day of UTC. */
    @Override
    public Slot period(Instant at) {
      return daily(ZoneOffset.UTC).slot(at);
    }
  }
}
