// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.testing;

import io.github.kueue4j.simulation.Simulation;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits of tests. */
public final class Patient {
  /** Only what never happens takes that long; a busy machine needs more than the usual 10 s. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Patient() {}

  /**
   * As {@link Awaitility#await()}, but with a limit for slow machines, and by the time of the
   * simulation that the current thread is in.
   */
  public static ConditionFactory await() {
    ConditionFactory await = Awaitility.await().atMost(LIMIT);
    return Simulation.current().isPresent() ? await.pollInSameThread() : await;
  }
}
