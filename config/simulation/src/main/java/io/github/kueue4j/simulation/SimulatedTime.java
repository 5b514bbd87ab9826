// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.LinkedBlockingQueue;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The time of a simulation, whose tasks run one after the other on a thread of it. */
@API(status = API.Status.INTERNAL)
public final class SimulatedTime implements TimeSource {
  private static final Instant START = Instant.parse(ManualTime.DEFAULT_START);

  private final Simulation simulation;
  private final LinkedBlockingQueue<Runnable> due = new LinkedBlockingQueue<>();
  private volatile boolean ended;
  private @Nullable Thread thread; // Guarded by this object's monitor.

  SimulatedTime(Simulation simulation) {
    this.simulation = simulation;
  }

  @Override
  public Instant instant() {
    return START.plusNanos(simulation.timers().now());
  }

  @Override
  public Cancellable at(Instant when, Runnable task) {
    synchronized (this) {
      if (thread == null) {
        thread = simulation.threads().name("timers").start(this::run);
      }
    }
    Timers.Timer timer =
        simulation.timers().after(Duration.between(instant(), when).toNanos(), () -> due.add(task));
    return () -> timer.cancel(false);
  }

  private void run() {
    while (!ended) {
      try {
        due.take().run();
      } catch (InterruptedException cleared) {
        // By a task, or by the end.
      }
    }
  }

  /** Ends its thread. */
  synchronized void end() {
    ended = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** The simulation's time ends with it. */
  @Override
  public void close() {}
}
