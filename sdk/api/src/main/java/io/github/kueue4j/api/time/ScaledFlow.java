// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.Duration;
import java.time.Instant;

/** Time that runs a constant factor faster or slower than the machine's monotonic clock. */
final class ScaledFlow implements TimeFlow {

  private final Instant start;
  private final double factor;
  private final long realStart = System.nanoTime();

  ScaledFlow(Instant start, double factor) {
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw new IllegalArgumentException(
          "the time factor must be a positive number, not " + factor);
    }
    this.start = start;
    this.factor = factor;
  }

  @Override
  public Instant now() {
    return start.plusNanos((long) ((System.nanoTime() - realStart) * factor));
  }

  @Override
  public long realNanosUntil(Instant when) {
    return (long) Math.ceil(Nanos.saturated(Duration.between(now(), when)) / factor);
  }
}
