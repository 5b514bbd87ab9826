// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The machine's wall clock, including its jumps. */
record SystemFlow() implements TimeFlow {

  private static final InstantSource CLOCK = InstantSource.system();

  @Override
  public Instant now() {
    return CLOCK.instant();
  }

  @Override
  public long realNanosUntil(Instant when) {
    return Nanos.saturated(Duration.between(now(), when));
  }
}
