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
import java.time.InstantSource;
import org.apiguardian.api.API;

/**
 * A clock with timers: the one place where a program learns the time and waits for it.
 *
 * <p>All parts of a process that must agree on the time share one source, so that a test or a demo
 * can run them in simulated or scaled time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TimeSource extends InstantSource, AutoCloseable {

  /** The present instant. */
  @Override
  Instant instant();

  /**
   * Runs a task once, when {@link #instant()} has reached {@code when}: never earlier, and at once
   * if it is past. Tasks run one after another on the source's own thread and must be short; what a
   * task throws is handed to that thread's uncaught exception handler and doesn't stop the others.
   *
   * @throws IllegalStateException if the source is closed
   */
  Cancellable at(Instant when, Runnable task);

  /** Runs a task once after this much time of the source; see {@link #at}. */
  default Cancellable after(Duration delay, Runnable task) {
    return at(instant().plus(delay), task);
  }

  /** Drops all timers and ends the thread; a task that is running ends first. */
  @Override
  void close();

  /** The time of the machine. */
  static TimeSource system() {
    return new TimerThread(new SystemFlow());
  }

  /**
   * Time that starts at {@code start} and runs {@code factor} times as fast as the machine's.
   *
   * @param factor above 0; 300 makes five minutes of one second
   * @throws IllegalArgumentException if the factor is not a positive number
   */
  static TimeSource scaled(Instant start, double factor) {
    return new TimerThread(new ScaledFlow(start, factor));
  }
}
