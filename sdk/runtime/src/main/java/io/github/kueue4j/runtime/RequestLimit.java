/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * A token bucket that requests wait at: {@code burst} may go at once, then one every {@code
 * 1/perSecond}, in the order in which they came. Thread-safe.
 */
final class RequestLimit {
  private static final double NANOS = 1e9;

  private final TimeSource time;
  private final Duration interval;
  private final Duration bucket;

  // Guarded by this object's monitor: when the next request could go if the bucket held one token.
  private Instant next = Instant.MIN;

  /**
   * A bucket that is full.
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
   * @return false if the connection was closed meanwhile, or the thread interrupted, in which case
   *     its flag is set
   */
  boolean await() {
    try {
      return WireWait.pause(time, take());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Takes the next token; how long it takes until that exists. */
  synchronized Duration take() {
    Instant now = time.instant();
    Instant full = now.minus(bucket);
    Instant mine = next.isBefore(full) ? full : next;
    next = mine.plus(interval);
    return mine.isAfter(now) ? Duration.between(now, mine) : Duration.ZERO;
  }
}
