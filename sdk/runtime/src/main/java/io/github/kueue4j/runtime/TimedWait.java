// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/** Lets a thread wait by the time of a time source. */
@API(status = API.Status.INTERNAL)
public final class TimedWait {

  private TimedWait() {}

  /**
   * Waits for this long.
   *
   * @return false if the time source was closed, so that it can't wait
   * @throws InterruptedException if the thread is interrupted
   */
  public static boolean pause(TimeSource time, Duration duration) throws InterruptedException {
    return pause(time, duration, CountDownLatch::await);
  }

  /**
   * The same for a caller that looks itself whether the time source goes on.
   *
   * @param longest in real time
   */
  public static boolean pause(TimeSource time, Duration duration, Duration longest)
      throws InterruptedException {
    return pause(time, duration, done -> done.await(longest.toMillis(), TimeUnit.MILLISECONDS));
  }

  private interface Waiting {
    void on(CountDownLatch done) throws InterruptedException;
  }

  private static boolean pause(TimeSource time, Duration duration, Waiting waiting)
      throws InterruptedException {
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
      waiting.on(done);
      return true;
    } finally {
      timer.cancel();
    }
  }
}
