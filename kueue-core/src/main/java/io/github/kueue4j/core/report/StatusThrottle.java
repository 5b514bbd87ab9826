// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * Limits how often the status of an object that changes all the time is computed: not within an
 * interval after the last computation that counted. An object waits in the work queue at most once,
 * however often its status is requested. Thread-safe.
 */
@API(status = API.Status.INTERNAL)
public final class StatusThrottle {
  private final InstantSource clock;
  private final Duration interval;
  private final Map<ObjectKey, Instant> intervalStart = new ConcurrentHashMap<>();
  private final Set<ObjectKey> requested = ConcurrentHashMap.newKeySet();

  /**
   * A throttle that has let nothing through yet.
   *
   * @param clock for the interval; the controller that computes the statuses must delay by the same
   * @param interval shortest time between two computations for one object
   */
  public StatusThrottle(InstantSource clock, Duration interval) {
    this.clock = clock;
    this.interval = interval;
  }

  /** Makes the pace at which counts are written, of the same clock and interval. */
  CountsPace newCounts() {
    return new CountsPace(clock, interval);
  }

  /**
   * Requests a new status.
   *
   * @return true if the object has to be put into the work queue, false if it waits there already
   */
  public boolean request(ObjectKey key) {
    return requested.add(key);
  }

  /**
   * Starts computing a status, if the interval is over. A request that comes later leads to another
   * computation.
   *
   * @return empty if the status may be computed now, otherwise when to try again
   */
  Optional<Instant> tryStart(ObjectKey key) {
    Instant before = intervalStart.get(key);
    Instant now = clock.instant();
    // After the clock was set back, the old start lies in the future and must not delay anything.
    if (before != null && !now.isBefore(before) && now.isBefore(before.plus(interval))) {
      requested.add(key);
      return Optional.of(before.plus(interval));
    }
    requested.remove(key);
    return Optional.empty();
  }

  /**
   * Begins the interval until the next computation.
   *
   * @return its end
   */
  Instant startInterval(ObjectKey key) {
    Instant now = clock.instant();
    intervalStart.put(key, now);
    return now.plus(interval);
  }

  /** The object no longer exists. */
  void forget(ObjectKey key) {
    intervalStart.remove(key);
  }
}
