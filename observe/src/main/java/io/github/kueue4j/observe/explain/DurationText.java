// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import java.time.Duration;
import org.apiguardian.api.API;

/** Durations as text for people: the two largest units. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DurationText {
  private DurationText() {}

  /** {@code 2d3h}, {@code 14h}, {@code 8m}, {@code 1m30s}, {@code 0s}; the sign is dropped. */
  public static String words(Duration duration) {
    Duration span = duration.abs();
    long days = span.toDays();
    int hours = span.toHoursPart();
    int minutes = span.toMinutesPart();
    int seconds = span.toSecondsPart();
    if (days > 0) {
      return days + "d" + (hours > 0 ? hours + "h" : "");
    }
    if (hours > 0) {
      return hours + "h" + (minutes > 0 ? minutes + "m" : "");
    }
    if (minutes > 0) {
      return minutes + "m" + (seconds > 0 ? seconds + "s" : "");
    }
    return seconds + "s";
  }
}
