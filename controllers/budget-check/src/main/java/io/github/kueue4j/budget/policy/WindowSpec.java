// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget.policy;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.budget.ledger.Window;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The time for which a limit holds.
 *
 * @param type how it is divided
 * @param firstDay of a week; absent: Monday
 * @param timeZone where midnight is; absent: UTC
 * @param length of a rolling window, one hour to a year
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WindowSpec(
    Type type, Optional<DayOfWeek> firstDay, Optional<ZoneId> timeZone, Optional<Duration> length) {

  private static final Duration SHORTEST = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofDays(366);

  /** How time is divided. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Type {
    /** Days. */
    DAILY,
    /** Weeks. */
    WEEKLY,
    /** Months. */
    MONTHLY,
    /** The time before now. */
    ROLLING
  }

  /** Checks the length. */
  public WindowSpec {
    boolean usable =
        length
            .filter(time -> time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0)
            .isPresent();
    if (type == Type.ROLLING && !usable) {
      throw new InvalidFieldException(
          "length",
          length.map(Duration::toString).orElse(null),
          "write a duration from 1h to 8784h, such as 168h");
    }
  }

  /** The window. */
  public Window window() {
    return switch (type) {
      case DAILY -> Window.daily(zone());
      case WEEKLY -> Window.weekly(firstDay.orElse(DayOfWeek.MONDAY), zone());
      case MONTHLY -> Window.monthly(zone());
      case ROLLING -> Window.rolling(length.orElseThrow());
    };
  }

  private ZoneId zone() {
    return timeZone.orElse(ZoneOffset.UTC);
  }
}
