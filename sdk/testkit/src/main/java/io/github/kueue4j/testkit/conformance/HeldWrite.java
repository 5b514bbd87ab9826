// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** The next write of the controller to one object, held back on its way to the server. */
final class HeldWrite {
  private final Predicate<String> path;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch leave = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile int status;

  HeldWrite(Predicate<String> path) {
    this.path = path;
  }

  /** Called by the proxy: whether this is the write to hold. */
  boolean takes(String requestPath) {
    return path.test(requestPath) && taken.compareAndSet(false, true);
  }

  void awaitLeave() throws InterruptedException {
    arrived.countDown();
    leave.await();
  }

  void done(int answer) {
    status = answer;
    done.countDown();
  }

  /** Waits until the controller writes; false if it doesn't in time. */
  boolean awaitArrival(Duration patience) {
    return await(arrived, patience);
  }

  /** Lets the write, or a later one, pass. */
  void letGo() {
    leave.countDown();
  }

  /** Lets the write pass and waits for the server's answer to it. */
  OptionalInt letPass(Duration patience) {
    letGo();
    return await(done, patience) ? OptionalInt.of(status) : OptionalInt.empty();
  }

  private static boolean await(CountDownLatch latch, Duration patience) {
    try {
      return latch.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the controller", e);
    }
  }
}
