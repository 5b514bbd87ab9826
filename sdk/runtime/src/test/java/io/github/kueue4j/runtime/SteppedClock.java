// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The machine's clock, which the test sets; the monotonic clock goes on. */
public final class SteppedClock implements InstantSource {

  private final InstantSource machine = TimeSource.wallClock();
  private volatile Duration offset = Duration.ZERO;

  /** Steps it away from the machine's, by this in all. */
  public void step(Duration by) {
    offset = by;
  }

  @Override
  public Instant instant() {
    return machine.instant().plus(offset);
  }
}
