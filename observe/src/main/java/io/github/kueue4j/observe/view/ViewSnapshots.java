// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.core.state.StateSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots when they are asked for, at most one per second, so that the cost of the view
 * doesn't grow with the number of those who look. Requests that come while the State is being asked
 * wait for the same answer. Thread-safe.
 */
final class ViewSnapshots {
  static final Duration KEPT_FOR = Duration.ofSeconds(1);

  private final Supplier<CompletableFuture<StateSnapshot>> state;
  private final InstantSource clock;
  private final InstantSource wireTime;
  private final Duration patience;

  // Guarded by this.
  private @Nullable AskedState latest;
  private @Nullable ViewSnapshot shown;

  /**
   * A State that was asked for.
   *
   * @param asked when, in wire time
   * @param time when, by the clock of the core
   */
  private record AskedState(Instant asked, Instant time, CompletableFuture<StateSnapshot> answer) {
    boolean serves(Instant now) {
      return !answer.isDone()
          || (!answer.isCompletedExceptionally() && now.isBefore(asked.plus(KEPT_FOR)));
    }
  }

  /**
   * Snapshots of a State.
   *
   * @param state asks it
   * @param clock the time that the snapshots bear
   * @param wireTime for the interval between two of them
   * @param patience for how long a request waits for the State, in real time
   */
  ViewSnapshots(
      Supplier<CompletableFuture<StateSnapshot>> state,
      InstantSource clock,
      InstantSource wireTime,
      Duration patience) {
    this.state = state;
    this.clock = clock;
    this.wireTime = wireTime;
    this.patience = patience;
  }

  /**
   * A snapshot that is at most a second old.
   *
   * @throws ViewProblem if the State doesn't answer
   */
  ViewSnapshot current() {
    AskedState question = question();
    try {
      return shown(
          question.time(), question.answer().get(patience.toMillis(), TimeUnit.MILLISECONDS));
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

  private synchronized AskedState question() {
    Instant now = wireTime.instant();
    AskedState known = latest;
    if (known == null || !known.serves(now)) {
      known = new AskedState(now, clock.instant(), state.get());
      latest = known;
    }
    return known;
  }

  /**
   * The snapshot that was derived from a State, which serves for as long as that doesn't change.
   */
  @SuppressWarnings("ReferenceEquality") // a State that hasn't changed gives the same object
  private synchronized ViewSnapshot shown(Instant time, StateSnapshot found) {
    ViewSnapshot known = shown;
    ViewSnapshot now =
        known == null || known.state() != found
            ? new ViewSnapshot(time, found)
            : known.time().equals(time) ? known : known.at(time);
    shown = now;
    return now;
  }
}
