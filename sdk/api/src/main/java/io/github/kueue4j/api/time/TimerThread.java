// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.Instant;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A time source with one thread, started by the first timer, which sleeps until the earliest timer.
 */
final class TimerThread implements TimeSource {

  /**
   * The longest sleep, because a sleeping thread doesn't notice that the machine's clock is set.
   */
  private static final long MAX_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TimeFlow flow;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // All guarded by the lock.
  private final TreeSet<Timer> timers = new TreeSet<>();
  private long sequence;
  private boolean closed;
  private @Nullable Thread thread;

  TimerThread(TimeFlow flow) {
    this.flow = flow;
  }

  @Override
  public Instant instant() {
    return flow.now();
  }

  @Override
  public Cancellable at(Instant when, Runnable task) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the time source is closed; set timers before closing it");
      }
      Timer timer = new Timer(when, sequence++, task);
      timers.add(timer);
      if (thread == null) {
        thread = Thread.ofPlatform().name("kueue4j-timer").daemon().start(this::run);
      } else if (timer.equals(timers.first())) {
        changed.signal();
      }
      return () -> cancel(timer);
    } finally {
      lock.unlock();
    }
  }

  private void cancel(Timer timer) {
    lock.lock();
    try {
      timers.remove(timer);
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    for (Timer due = awaitDue(); due != null; due = awaitDue()) {
      runGuarded(due.task());
    }
  }

  private static void runGuarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, failure);
    }
  }

  /** Waits for the next due timer and removes it; null when the source is closed. */
  private @Nullable Timer awaitDue() {
    lock.lock();
    try {
      while (!closed) {
        if (timers.isEmpty()) {
          changed.awaitUninterruptibly();
          continue;
        }
        long nanos = flow.realNanosUntil(timers.first().when());
        if (nanos <= 0) {
          return timers.pollFirst();
        }
        try {
          changed.awaitNanos(Math.min(nanos, MAX_SLEEP_NANOS));
        } catch (InterruptedException cleared) {
          // Only a task can have interrupted this thread; ignore it.
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      timers.clear();
      changed.signal();
      running = thread;
    } finally {
      lock.unlock();
    }
    if (running != null && running != Thread.currentThread()) {
      joinUninterruptibly(running);
    }
  }

  private static void joinUninterruptibly(Thread running) {
    boolean interrupted = false;
    while (running.isAlive()) {
      try {
        running.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
