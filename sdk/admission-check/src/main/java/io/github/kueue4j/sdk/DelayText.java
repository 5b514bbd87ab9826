// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.time.Duration;

/**
 * Delays as people read them: {@code 45 s}, {@code 4 min}, {@code 14 h 20 min}, {@code 3 d 4 h}.
 */
final class DelayText {

  private static final Duration SECONDS_UNTIL = Duration.ofMinutes(2);
  private static final Duration MINUTES_UNTIL = Duration.ofHours(2);
  private static final Duration HOURS_UNTIL = Duration.ofDays(2);

  private DelayText() {}

  /** The delay to within one part in a hundred or so, in its two largest units at most. */
  static String of(Duration delay) {
    if (delay.compareTo(SECONDS_UNTIL) < 0) {
      return rounded(delay, 1) + " s";
    }
    if (delay.compareTo(MINUTES_UNTIL) < 0) {
      return rounded(delay, 60) + " min";
    }
    return delay.compareTo(HOURS_UNTIL) < 0
        ? text(rounded(delay, 60), 60, " h", " min")
        : text(rounded(delay, 3600), 24, " d", " h");
  }

  private static long rounded(Duration delay, long seconds) {
    return (delay.toSeconds() + seconds / 2) / seconds;
  }

  private static String text(long small, long perLarge, String large, String unit) {
    return small / perLarge + large + (small % perLarge == 0 ? "" : " " + small % perLarge + unit);
  }
}
