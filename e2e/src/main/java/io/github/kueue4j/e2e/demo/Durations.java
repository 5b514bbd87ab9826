// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import java.time.Duration;

/** Durations as a person says them: the two largest units. */
final class Durations {
  private Durations() {}

  /** {@code 2h14m}, {@code 8m}, {@code 45s}; negative ones are {@code 0s}. */
  static String brief(Duration duration) {
    if (duration.isNegative()) {
      return "0s";
    }
    long hours = duration.toHours();
    int minutes = duration.toMinutesPart();
    int seconds = duration.toSecondsPart();
    if (hours > 0) {
      return hours + "h" + (minutes > 0 ? minutes + "m" : "");
    }
    if (minutes > 0) {
      return minutes + "m" + (seconds > 0 ? seconds + "s" : "");
    }
    return seconds + "s";
  }
}
