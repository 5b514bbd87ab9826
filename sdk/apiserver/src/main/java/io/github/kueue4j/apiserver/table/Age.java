// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.table;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** How long ago something was, as kubectl writes it: two units while they matter. */
final class Age {
  private static final String UNKNOWN = "<unknown>";

  private Age() {}

  static String since(String timestamp, Instant now) {
    if (timestamp.isEmpty()) {
      return UNKNOWN;
    }
    try {
      return of(Duration.between(Instant.parse(timestamp), now));
    } catch (DateTimeException e) {
      return "<invalid>";
    }
  }

  static String of(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < -1) {
      return "<invalid>";
    }
    if (seconds < 0) {
      return "0s";
    }
    if (seconds < 120) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    if (minutes < 10) {
      return two(minutes, "m", seconds % 60, "s");
    }
    if (minutes < 180) {
      return minutes + "m";
    }
    long hours = minutes / 60;
    if (hours < 8) {
      return two(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
      return hours + "h";
    }
    long days = hours / 24;
    if (hours < 192) {
      return two(days, "d", hours % 24, "h");
    }
    if (days < 730) {
      return days + "d";
    }
    long years = days / 365;
    return years < 8 ? two(years, "y", days % 365, "d") : years + "y";
  }

  private static String two(long big, String bigUnit, long small, String smallUnit) {
    return small == 0 ? big + bigUnit : big + bigUnit + small + smallUnit;
  }
}
