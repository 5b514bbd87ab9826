// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.Duration;

/** Durations as nanoseconds in a long, whose range is about 292 years. */
final class Nanos {

  private static final Duration MOST = Duration.ofNanos(Long.MAX_VALUE);
  private static final Duration LEAST = Duration.ofNanos(Long.MIN_VALUE);

  private Nanos() {}

  static long saturated(Duration duration) {
    if (duration.compareTo(MOST) >= 0) {
      return Long.MAX_VALUE;
    }
    return duration.compareTo(LEAST) <= 0 ? Long.MIN_VALUE : duration.toNanos();
  }
}
