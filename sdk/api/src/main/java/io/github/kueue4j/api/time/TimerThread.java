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
package io.github.kueue4j.api.time;

import java.time.Instant;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A source with one thread that sleeps until the earliest timer; started by the first timer. */
final class TimerThread implements TimeSource {

  /** Longest sleep: a machine's clock may be set, and nothing tells a sleeper. */
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

  /** Waits for the next due timer and takes it out; null when the source is closed. */
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
          // The thread is ours: only a task can have interrupted it, for itself. Look again.
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
