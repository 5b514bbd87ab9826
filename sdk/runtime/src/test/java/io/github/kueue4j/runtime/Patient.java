// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Awaitility with the timeouts of these tests. */
public final class Patient {
  /** Only failing conditions take that long; a busy machine needs more than the default of 10 s. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Patient() {}

  /** As {@link Awaitility#await()}, but with a limit for slow machines. */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT);
  }
}
