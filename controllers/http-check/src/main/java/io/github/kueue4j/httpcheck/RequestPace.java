// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Spaces the requests to each URL evenly, whichever AdmissionChecks send them. On the controller's
 * clock, which resilience4j's rate limiter can't be given.
 */
final class RequestPace {
  /**
   * A request that is late by up to this much takes its turn, and doesn't put off the next: what
   * waits comes once a second. So a second's worth may go at once.
   */
  private static final Duration LATE = Duration.ofSeconds(1);

  private final InstantSource steady;

  /** When the next request to each URL is due; absent: for long. Guarded by this monitor. */
  private final Map<URI, Instant> due = new HashMap<>();

  /**
   * Nothing was sent yet.
   *
   * @param steady a clock that isn't set
   */
  RequestPace(InstantSource steady) {
    this.steady = steady;
  }

  /** Whether a request may be sent now; if so, it is counted. */
  synchronized boolean permits(URI url, int perMinute) {
    Instant now = steady.instant();
    Instant forLong = now.minus(LATE);
    due.values().removeIf(next -> next.isBefore(forLong));
    Instant next = due.getOrDefault(url, forLong);
    if (next.isAfter(now)) {
      return false;
    }
    due.put(url, next.plus(Duration.ofMinutes(1).dividedBy(perMinute)));
    return true;
  }
}
