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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Lets a thread of ours wait in some source's time. */
final class WireWait {

  private WireWait() {}

  /**
   * Waits for this long.
   *
   * @return false if the time source was closed, so that the wait can't happen
   * @throws InterruptedException if the thread is interrupted
   */
  static boolean pause(TimeSource time, Duration duration) throws InterruptedException {
    if (duration.isZero() || duration.isNegative()) {
      return true;
    }
    var done = new CountDownLatch(1);
    Cancellable timer;
    try {
      timer = time.after(duration, done::countDown);
    } catch (IllegalStateException closed) {
      return false;
    }
    try {
      done.await();
      return true;
    } finally {
      timer.cancel();
    }
  }
}
