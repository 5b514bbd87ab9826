// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.Instant;

/** The clock of a {@link TimerThread} and its relation to real time. */
sealed interface TimeFlow permits SystemFlow, ScaledFlow {

  Instant now();

  /**
   * Real nanoseconds from now until {@code when}, rounded up so that a wait of this length ends
   * when {@code when} has been reached; 0 or less if it has been; at most {@link Long#MAX_VALUE}.
   */
  long realNanosUntil(Instant when);
}
