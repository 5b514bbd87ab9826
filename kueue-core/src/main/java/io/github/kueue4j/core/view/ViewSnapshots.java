// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.view;

import io.github.kueue4j.core.state.QueueReports;
import io.github.kueue4j.core.state.StateLoop;
import io.github.kueue4j.core.state.StateSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots when they are asked for, at most one per second, so that the cost of the view
 * doesn't grow with the number of those who look. Thread-safe.
 */
final class ViewSnapshots {
  static final Duration KEPT_FOR = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final StateLoop loop;
  private final InstantSource clock;
  private final InstantSource wireTime;

  // Guarded by this.
  private @Nullable ViewSnapshot latest;
  private Instant taken = Instant.MIN;

  /**
   * Snapshots of this loop's State.
   *
   * @param clock the time that the snapshots bear
   * @param wireTime for the interval between two of them
   */
  ViewSnapshots(StateLoop loop, InstantSource clock, InstantSource wireTime) {
    this.loop = loop;
    this.clock = clock;
    this.wireTime = wireTime;
  }

  /**
   * A snapshot that is at most a second old.
   *
   * @throws ViewProblem if the State doesn't answer
   */
  synchronized ViewSnapshot current() {
    Instant now = wireTime.instant();
    ViewSnapshot known = latest;
    if (known != null && now.isBefore(taken.plus(KEPT_FOR))) {
      return known;
    }
    try {
      StateSnapshot state =
          loop.ask(QueueReports::snapshot).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      ViewSnapshot fresh = new ViewSnapshot(clock.instant(), state);
      latest = fresh;
      taken = now;
      return fresh;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ViewProblem(503, "the request took too long or the core ends");
    } catch (TimeoutException | CancellationException e) {
      throw new ViewProblem(
          503, "the scheduler's state does not answer; look at /healthz of the core");
    } catch (ExecutionException e) {
      throw new IllegalStateException("can't take a snapshot of the scheduler's state", e);
    }
  }
}
