// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.util.TreeSet;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time of a simulation, and what is to happen when. Thread-safe. */
final class Timers {
  // All guarded by this object's monitor.
  private final TreeSet<Timer> pending = new TreeSet<>();
  private long now = TimeUnit.HOURS.toNanos(1);
  private long sequence;

  /** Something that happens once. */
  final class Timer extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final long when;
    private final long number;

    private Timer(long when, long number, Runnable task) {
      super(task, null);
      this.when = when;
      this.number = number;
    }

    @Override
    public boolean cancel(boolean interrupting) {
      drop(this);
      return super.cancel(interrupting);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(when - now(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Timer timer = (Timer) other;
      return when == timer.when
          ? Long.compare(number, timer.number)
          : Long.compare(when, timer.when);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  synchronized long now() {
    return now;
  }

  synchronized void pass(long nanos) {
    now += nanos;
  }

  synchronized Timer after(long nanos, Runnable task) {
    Timer timer = new Timer(now + Math.max(0, nanos), sequence++, task);
    pending.add(timer);
    return timer;
  }

  private synchronized void drop(Timer timer) {
    pending.remove(timer);
  }

  /** Takes out the next timer that is due; null if none is. */
  synchronized @Nullable Timer due() {
    return pending.isEmpty() || pending.first().when > now ? null : pending.pollFirst();
  }

  synchronized boolean none() {
    return pending.isEmpty();
  }

  /** Goes on to the next timer; false if there is none. */
  synchronized boolean advance() {
    if (pending.isEmpty()) {
      return false;
    }
    now = Math.max(now, pending.first().when);
    return true;
  }
}
