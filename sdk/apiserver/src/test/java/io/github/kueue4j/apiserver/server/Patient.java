// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits of tests. */
final class Patient {
  /** Only what never happens takes that long; a busy machine needs more than the usual 10 s. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Patient() {}

  /** As {@link Awaitility#await()}, but with a limit for slow machines. */
  static ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT);
  }
}
