// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits of tests. */
public final class Patient {
  /** Only what never happens takes that long; a busy machine needs more than the usual 10 s. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Patient() {}

  /** As {@link Awaitility#await()}, but with a limit for slow machines. */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT);
  }

  /** Waits until the latch is open, whatever its thread is told meanwhile. */
  public static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
