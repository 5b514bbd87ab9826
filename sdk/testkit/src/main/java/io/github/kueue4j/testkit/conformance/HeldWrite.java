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
