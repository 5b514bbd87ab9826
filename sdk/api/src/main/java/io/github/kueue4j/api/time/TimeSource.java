// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apiguardian.api.API;

/**
 * A clock with timers: the only way in which the program reads the time and waits.
 *
 * <p>All parts of a process that must agree on the time share one source, so that a test or a demo
 * can run them in simulated or scaled time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TimeSource extends InstantSource, AutoCloseable {

  /** The current instant; {@link #now} is another name for it. */
  @Override
  Instant instant();

  /** The current instant, by the name that it has elsewhere in {@code java.time}. */
  default Instant now() {
    return instant();
  }

  /**
   * Runs a task once, when {@link #instant()} has reached {@code when}: never earlier, and at once
   * if it is past. Tasks run one after another on the source's own thread and must be short; an
   * exception of a task goes to that thread's uncaught exception handler and doesn't stop the
   * others.
   *
   * @throws IllegalStateException if the source is closed
   */
  Cancellable at(Instant when, Runnable task);

  /** Runs a task once after this much time of the source; see {@link #at}. */
  default Cancellable after(Duration delay, Runnable task) {
    return at(instant().plus(delay), task);
  }

  /**
   * What durations are to be measured and waited for by: the same pace, but never set back or
   * forward, so that its instants may differ from those of this source. This source itself unless
   * it shows such steps. It is closed with this source.
   */
  default TimeSource steady() {
    return this;
  }

  /**
   * The same clock, for one that may be set, with another source of steady time beside it; closing
   * it closes both.
   *
   * @param steady what {@link #steady} returns
   */
  default TimeSource withSteady(TimeSource steady) {
    return new SteppingTime(this, steady);
  }

  /** Cancels all timers and ends the thread, after a running task has ended. */
  @Override
  void close();

  /** The machine's clock, without timers: including its steps, when it is set. */
  static InstantSource wallClock() {
    return new SystemFlow()::now;
  }

  /**
   * The time of the machine, including its steps: for times that the API shows. When the clock is
   * set back, timers fire that much later; those of {@link #steady} don't.
   */
  static TimeSource system() {
    return new TimerThread(new SystemFlow()).withSteady(scaled(wallClock().instant(), 1));
  }

  /**
   * Time that starts at {@code start} and runs {@code factor} times as fast as the machine's
   * monotonic clock, so that it isn't set back or forward.
   *
   * @param factor above 0; with 300, five minutes pass in one second
   * @throws IllegalArgumentException if the factor is not a positive number
   */
  static TimeSource scaled(Instant start, double factor) {
    return new TimerThread(new ScaledFlow(start, factor));
  }
}
