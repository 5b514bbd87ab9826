// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * Delays as people read them: {@code 45 s}, {@code 4 min 7 s}, {@code 25 min}, {@code 14 h 20 min},
 * {@code 3 d 4 h}.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DelayText {

  private static final Duration SECONDS_UNTIL = Duration.ofMinutes(2);
  private static final Duration MINUTES_AND_SECONDS_UNTIL = Duration.ofMinutes(10);
  private static final Duration MINUTES_UNTIL = Duration.ofHours(2);
  private static final Duration HOURS_UNTIL = Duration.ofDays(2);

  private DelayText() {}

  /**
   * The delay in its two largest units at most, rounded up: by less than a second up to 10 minutes,
   * by less than a tenth of the delay above.
   */
  public static String of(Duration delay) {
    Duration whole = Duration.ofSeconds(roundedUp(delay, 1));
    if (whole.compareTo(SECONDS_UNTIL) < 0) {
      return whole.toSeconds() + " s";
    }
    if (whole.compareTo(MINUTES_AND_SECONDS_UNTIL) < 0) {
      return text(whole.toSeconds(), 60, " min", " s");
    }
    if (whole.compareTo(MINUTES_UNTIL) < 0) {
      return roundedUp(whole, 60) + " min";
    }
    return whole.compareTo(HOURS_UNTIL) < 0
        ? text(roundedUp(whole, 60), 60, " h", " min")
        : text(roundedUp(whole, 3600), 24, " d", " h");
  }

  /** How many units of so many seconds the delay takes up. */
  private static long roundedUp(Duration delay, long seconds) {
    long whole = delay.toSeconds() + (delay.toNanosPart() == 0 ? 0 : 1);
    return Math.ceilDiv(whole, seconds);
  }

  private static String text(long small, long perLarge, String large, String unit) {
    return small / perLarge + large + (small % perLarge == 0 ? "" : " " + small % perLarge + unit);
  }
}
