// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When a loop has last taken a step, so that liveness notices one that is stuck. Thread-safe. */
final class Heartbeat {
  private final InstantSource time;
  private final Duration limit;
  private volatile @Nullable Instant last;

  /**
   * A heart that doesn't beat yet, which is no problem.
   *
   * @param time real time that isn't set back or forward
   * @param limit the longest time between two beats
   */
  Heartbeat(InstantSource time, Duration limit) {
    this.time = time;
    this.limit = limit;
  }

  void beat() {
    last = time.instant();
  }

  /** How long the last beat is ago if that is longer than the limit. */
  Optional<Duration> silence() {
    Instant seen = last;
    return seen == null
        ? Optional.empty()
        : Optional.of(Duration.between(seen, time.instant()))
            .filter(age -> age.compareTo(limit) > 0);
  }
}
