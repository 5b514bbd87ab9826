// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.TimedWait;
import java.time.Duration;
import java.time.Instant;

/**
 * A token bucket for requests: {@code burst} may be sent at once, then one every {@code
 * 1/perSecond} seconds, in the order of their arrival. Thread-safe.
 */
final class RequestLimit {
  private static final double NANOS = 1e9;

  private final TimeSource time;
  private final Duration interval;
  private final Duration bucket;

  // Guarded by this object's monitor: when the next request could be sent if the bucket held one
  // token.
  private Instant next = Instant.MIN;

  /**
   * A full bucket.
   *
   * @param perSecond positive
   * @param burst at least 1
   */
  RequestLimit(TimeSource time, double perSecond, int burst) {
    this.time = time;
    this.interval = Duration.ofNanos(Math.max(1, Math.round(NANOS / perSecond)));
    this.bucket = interval.multipliedBy(burst - 1L);
  }

  /**
   * Waits for a token.
   *
   * @return false if the connection was closed meanwhile, or if the thread was interrupted, whose
   *     flag is then set
   */
  boolean await() {
    try {
      return TimedWait.pause(time, take());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Takes the next token and returns the time until it is available. */
  synchronized Duration take() {
    Instant now = time.instant();
    Instant full = now.minus(bucket);
    Instant mine = next.isBefore(full) ? full : next;
    next = mine.plus(interval);
    return mine.isAfter(now) ? Duration.between(now, mine) : Duration.ZERO;
  }
}
