// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.assembly;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Time from a chosen instant on, first as fast as the machine's, then at a speed that may change.
 * What happens before it is accelerated costs hardly any simulated time, however slow the machine
 * is. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class WindableTime implements TimeSource {
  // All guarded by this object's monitor.
  private final Set<Pending> pending = new LinkedHashSet<>();
  private TimeSource running;

  private volatile double speed = 1;

  /** A timer that has not run; moves from one clock to the next. */
  private final class Pending implements Runnable, Cancellable {
    private final Instant when;
    private final Runnable task;
    private @Nullable Cancellable timer;

    Pending(Instant when, Runnable task) {
      this.when = when;
      this.task = task;
    }

    @Override
    public void run() {
      synchronized (WindableTime.this) {
        if (!pending.remove(this)) {
          return; // Cancelled, or run by the other clock.
        }
      }
      task.run();
    }

    @Override
    public void cancel() {
      synchronized (WindableTime.this) {
        pending.remove(this);
        if (timer != null) {
          timer.cancel();
        }
      }
    }
  }

  /** Time that is {@code begin} now. */
  public WindableTime(Instant begin) {
    this.running = TimeSource.scaled(begin, 1);
  }

  /**
   * Lets time run at another speed from now on; timers move along. Not to be called by a timer's
   * task.
   *
   * @param factor how many seconds pass in a real one; positive
   */
  public void wind(double factor) {
    goOn(Duration.ZERO, factor);
  }

  /**
   * Lets this much time pass at once. A timer's task that began before may still run when the next
   * timer's begins. Not to be called by a timer's task.
   *
   * @param time not negative
   */
  public void advance(Duration time) {
    goOn(time, speed);
  }

  private void goOn(Duration skipped, double factor) {
    TimeSource before;
    synchronized (this) {
      before = running;
      TimeSource after = TimeSource.scaled(before.instant().plus(skipped), factor);
      running = after;
      speed = factor;
      for (Pending each : pending) {
        each.timer = after.at(each.when, each);
      }
    }
    before.close(); // Waits for its thread, which may wait for our monitor.
  }

  @Override
  public synchronized Instant instant() {
    return running.instant();
  }

  @Override
  public synchronized Cancellable at(Instant when, Runnable task) {
    Pending timer = new Pending(when, task);
    pending.add(timer);
    timer.timer = running.at(when, timer);
    return timer;
  }

  @Override
  public void close() {
    TimeSource closing;
    synchronized (this) {
      pending.clear();
      closing = running;
    }
    closing.close();
  }
}
