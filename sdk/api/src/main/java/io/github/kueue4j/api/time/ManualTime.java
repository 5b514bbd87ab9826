// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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
 * <p>Thread-safe; only one thread may advance at a time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ManualTime implements TimeSource {

  /** Where time stands unless a test says otherwise. */
  public static final String DEFAULT_START = "2026-01-05T08:00:00Z";

  // All guarded by this object's monitor.
  private final TreeSet<Timer> timers = new TreeSet<>();
  private Instant now;
  private long sequence;
  private boolean closed;

  /** Time that stands at {@code start}. */
  public ManualTime(Instant start) {
    this.now = start;
  }

  /** Time that stands at {@value #DEFAULT_START}, a Monday. */
  public static ManualTime create() {
    return new ManualTime(Instant.parse(DEFAULT_START));
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
   * Advances by this duration and runs due tasks, including those that the tasks themselves
   * schedule.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public void advance(Duration duration) {
    advanceTo(instant().plus(duration));
  }

  /**
   * Advances to {@code target} and runs due tasks, including those that the tasks themselves
   * schedule. An exception of a task is thrown here, with the time at the task's instant.
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

  /** The instant of the earliest timer. */
  public synchronized Optional<Instant> nextTimer() {
    return timers.isEmpty() ? Optional.empty() : Optional.of(timers.first().when());
  }

  /** The number of pending timers. */
  public synchronized int pendingTimers() {
    return timers.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    timers.clear();
  }
}
