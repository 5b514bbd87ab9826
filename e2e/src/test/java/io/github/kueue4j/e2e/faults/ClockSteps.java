// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.traffic.Fault;
import io.github.kueue4j.e2e.torture.Storm;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The core and the check run on a machine whose clock is set; the server has another clock. */
final class ClockSteps {
  private static final Duration STEP = Duration.ofSeconds(20);

  private ClockSteps() {}

  static Scene open() throws InterruptedException {
    AtomicReference<@Nullable SteppedTime> clock = new AtomicReference<>();
    return Scene.accelerated(
        (target, time) -> {
          SteppedTime stepped = new SteppedTime(time);
          clock.set(stepped);
          return Storm.Cast.here(target, stepped);
        },
        scene -> strike(Objects.requireNonNull(clock.get())));
  }

  private static Fault strike(SteppedTime clock) {
    clock.step(STEP);
    return new FaultRow.Counted(
        2,
        new Fault() {
          @Override
          public long hits() {
            return 1;
          }

          @Override
          public void close() {
            clock.step(STEP.negated());
          }
        });
  }

  /** A clock that is set; timers go by it. Thread-safe. */
  private static final class SteppedTime implements TimeSource {
    private final TimeSource source;

    // Both guarded by this object's monitor.
    private final Set<Pending> pending = new LinkedHashSet<>();
    private Duration ahead = Duration.ZERO;

    SteppedTime(TimeSource source) {
      this.source = source;
    }

    /** As a machine has one, too, whose clock is set. */
    @Override
    public TimeSource steady() {
      return source.steady();
    }

    /** A timer that has not run. */
    private final class Pending implements Runnable, Cancellable {
      private final Instant when;
      private final Runnable task;
      private Cancellable timer = () -> {};

      Pending(Instant when, Runnable task) {
        this.when = when;
        this.task = task;
      }

      @Override
      public void run() {
        synchronized (SteppedTime.this) {
          if (!pending.remove(this)) {
            return; // Cancelled, or run by an earlier timer.
          }
        }
        task.run();
      }

      @Override
      public void cancel() {
        synchronized (SteppedTime.this) {
          pending.remove(this);
          timer.cancel();
        }
      }
    }

    synchronized void step(Duration by) {
      ahead = ahead.plus(by);
      for (Pending each : pending) {
        each.timer.cancel();
        each.timer = source.at(each.when.minus(ahead), each);
      }
    }

    @Override
    public synchronized Instant instant() {
      return source.instant().plus(ahead);
    }

    @Override
    public synchronized Cancellable at(Instant when, Runnable task) {
      Pending timer = new Pending(when, task);
      pending.add(timer);
      timer.timer = source.at(when.minus(ahead), timer);
      return timer;
    }

    /** The source stays open: others use it. */
    @Override
    public void close() {}
  }
}
