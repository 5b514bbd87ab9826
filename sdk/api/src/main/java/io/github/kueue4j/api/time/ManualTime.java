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

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time for tests and simulations: it stands still until it is advanced, and due tasks run
 * in the thread that advances it, each at its own instant, in order.
 *
 * <p>Safe for use by several threads; only one may advance at a time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ManualTime implements TimeSource {

  // All guarded by this object's monitor.
  private final TreeSet<Timer> timers = new TreeSet<>();
  private Instant now;
  private long sequence;
  private boolean closed;

  /** Time that stands at {@code start}. */
  public ManualTime(Instant start) {
    this.now = start;
  }

  /** Time that stands at an arbitrary round instant. */
  public static ManualTime create() {
    return new ManualTime(Instant.parse("2026-01-05T08:00:00Z"));
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  /** Past and present instants are due too: their task runs at the next advance, even by zero. */
  @Override
  public synchronized Cancellable at(Instant when, Runnable task) {
    if (closed) {
      throw new IllegalStateException("the time source is closed; set timers before closing it");
    }
    Timer timer = new Timer(when, sequence++, task);
    timers.add(timer);
    return () -> cancel(timer);
  }

  private synchronized void cancel(Timer timer) {
    timers.remove(timer);
  }

  /**
   * Moves on by this much and runs what comes due, including what the tasks themselves ask for.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public void advance(Duration duration) {
    advanceTo(instant().plus(duration));
  }

  /**
   * Moves on to {@code target} and runs what comes due, including what the tasks themselves ask
   * for. What a task throws comes out here, with time standing at the task's instant.
   *
   * @throws IllegalArgumentException if the target is in the past
   */
  public void advanceTo(Instant target) {
    synchronized (this) {
      if (target.isBefore(now)) {
        throw new IllegalArgumentException("time can't go back from " + now + " to " + target);
      }
    }
    for (Timer due = nextDue(target); due != null; due = nextDue(target)) {
      due.task().run();
    }
    synchronized (this) {
      now = target.isAfter(now) ? target : now;
    }
  }

  private synchronized @Nullable Timer nextDue(Instant target) {
    if (timers.isEmpty() || timers.first().when().isAfter(target)) {
      return null;
    }
    Timer due = timers.pollFirst();
    if (due != null && due.when().isAfter(now)) {
      now = due.when();
    }
    return due;
  }

  /** Runs what is due now without moving on. */
  public void runDue() {
    advanceTo(instant());
  }

  /** The instant of the earliest timer. */
  public synchronized Optional<Instant> nextTimer() {
    return timers.isEmpty() ? Optional.empty() : Optional.of(timers.first().when());
  }

  /** The number of timers that wait. */
  public synchronized int pendingTimers() {
    return timers.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    timers.clear();
  }
}
