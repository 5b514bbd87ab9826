// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When a queue's counts are written anew: once per interval while few queues change. The more of
 * them change at the same time, the longer each one's pause, so that all of them together cost the
 * API server about {@value #PER_INTERVAL} writes per interval; no pause is longer than {@value
 * #LONGEST} intervals. Thread-safe.
 */
final class CountsPace {
  static final int PER_INTERVAL = 12;
  static final int LONGEST = 5;

  private final InstantSource clock;
  private final Duration interval;

  /** When the queues' counts were written, oldest first; no longer ago than the longest pause. */
  private final Map<ObjectKey, Instant> written = new LinkedHashMap<>();

  /**
   * A pace at which nothing was written yet.
   *
   * @param interval shortest time between two writes of one queue's counts
   */
  CountsPace(InstantSource clock, Duration interval) {
    this.clock = clock;
    this.interval = interval;
  }

  /** Whether the counts of a queue may be written now. */
  synchronized boolean due(ObjectKey key) {
    Instant now = clock.instant();
    forgetOld(now);
    Instant last = written.get(key);
    return last == null || !now.isBefore(last.plus(pause()));
  }

  private Duration pause() {
    Duration shared = interval.multipliedBy(written.size()).dividedBy(PER_INTERVAL);
    Duration longest = interval.multipliedBy(LONGEST);
    return shared.compareTo(longest) < 0 ? shared : longest;
  }

  /** The counts of a queue were written. */
  synchronized void written(ObjectKey key) {
    written.remove(key);
    written.put(key, clock.instant());
  }

  /** The queue no longer exists. */
  synchronized void forget(ObjectKey key) {
    written.remove(key);
  }

  private void forgetOld(Instant now) {
    Instant oldest = now.minus(interval.multipliedBy(LONGEST));
    Iterator<Instant> times = written.values().iterator();
    while (times.hasNext()) {
      Instant next = times.next();
      // After the clock was set back, a time in the future must not delay anything.
      if (next.isAfter(oldest) && !next.isAfter(now)) {
        return;
      }
      times.remove();
    }
  }
}
