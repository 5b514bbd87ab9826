// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock that is a minute late: what the kit reserves has been reserved for a minute, so that a
 * state that changes now has another time than before, although the API counts in whole seconds.
 */
record EarlierTime(TimeSource time) implements TimeSource {
  private static final Duration LATE = Duration.ofMinutes(1);

  @Override
  public Instant instant() {
    return time.instant().minus(LATE);
  }

  @Override
  public Cancellable at(Instant when, Runnable task) {
    return time.at(when.plus(LATE), task);
  }

  @Override
  public void close() {
    // The caller owns the wrapped time and closes it.
  }
}
