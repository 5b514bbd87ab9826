// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.simulation;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Takes the place of the JDK's timers for virtual threads that don't run on its own scheduler: what
 * a simulated thread waits for at most goes by the simulation's time.
 */
final class ParkTimers extends ScheduledThreadPoolExecutor {
  private final ScheduledExecutorService real;

  private ParkTimers(ScheduledExecutorService real) {
    super(0);
    this.real = real;
  }

  /** Takes their place in the whole JVM. */
  static void install() {
    try {
      Field field =
          Class.forName("java.lang.VirtualThread$DelayedTaskSchedulers")
              .getDeclaredField("INSTANCE");
      field.setAccessible(true);
      Object schedulers = field.get(null);
      for (int i = 0; i < Array.getLength(schedulers); i++) {
        Array.set(
            schedulers, i, new ParkTimers((ScheduledExecutorService) Array.get(schedulers, i)));
      }
    } catch (ReflectiveOperationException e) {
      throw VirtualThreads.unsuited(e);
    }
  }

  /** Called by the thread that carried the waiting one. */
  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return Simulation.driven()
        .<ScheduledFuture<?>>map(driven -> driven.timers().after(unit.toNanos(delay), command))
        .orElseGet(() -> real.schedule(command, delay, unit));
  }
}
