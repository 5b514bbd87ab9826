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
