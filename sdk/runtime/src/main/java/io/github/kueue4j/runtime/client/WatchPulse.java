// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ErrorBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;

/**
 * The activity of one informer: the state for its probes, the pause after failures, and the watch
 * call to cancel when it is silent. Thread-safe.
 */
final class WatchPulse {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final TimeSource time;
  private final RandomGenerator random;
  private final ErrorBackoff backoff = new ErrorBackoff(FIRST_PAUSE, LONGEST_PAUSE);

  // All guarded by this object's monitor.
  private Instant lastActivity;
  private @Nullable Instant lastEvent;
  private @Nullable Call call;
  private boolean watching;
  private boolean cutForSilence;
  private long relists;
  private int failures;
  private int pausedFor;
  private Duration patience = Duration.ZERO;
  private @Nullable String lastError;

  WatchPulse(TimeSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
    this.lastActivity = time.instant();
  }

  /**
   * A complete list arrived. That alone doesn't reset the failure count, because the watch may
   * still be refused.
   */
  synchronized void listed() {
    relists++;
    lastActivity = time.instant();
    lastEvent = lastActivity;
  }

  /** The server has no such resource, which it said by other means: no event is missed. */
  synchronized void nothingToHear() {
    lastEvent = time.instant();
  }

  /** A watch is being opened through this call. */
  synchronized void opening(Call watch) {
    call = watch;
    cutForSilence = false;
    lastActivity = time.instant();
  }

  synchronized void opened() {
    watching = true;
    lastActivity = time.instant();
  }

  /** An event or a bookmark arrived. */
  synchronized void event() {
    lastActivity = time.instant();
    lastEvent = lastActivity;
    succeeded();
  }

  private void succeeded() {
    failures = 0;
    pausedFor = 0;
    lastError = null;
  }

  /**
   * The watch ended without an error.
   *
   * @param fruitful whether it delivered an event or lasted for some time; otherwise it counts as a
   *     failure, so that a watch that always ends at once doesn't cause a busy loop
   */
  synchronized void ended(boolean fruitful) {
    watching = false;
    call = null;
    lastActivity = time.instant();
    if (fruitful) {
      succeeded();
    } else {
      failures++;
      lastError = "the server ended the watch at once";
    }
  }

  /** A list or a watch failed; the failure may contain a Retry-After. */
  synchronized void failed(Throwable failure) {
    failed(FailedRequest.describe(failure));
    patience = FailedRequest.patience(failure);
  }

  /** A list or a watch failed. */
  synchronized void failed(String why) {
    watching = false;
    call = null;
    lastActivity = time.instant();
    failures++;
    lastError = why;
  }

  /**
   * The pause before the next request: none after a success, increasing with consecutive failures.
   * Returned once per failure: after the pause of a list, its watch needs no second one.
   */
  synchronized Duration pause() {
    if (pausedFor == failures) {
      return Duration.ZERO;
    }
    pausedFor = failures;
    Duration pause = backoff.after(failures);
    pause = pause.compareTo(patience) < 0 ? patience : pause;
    patience = Duration.ZERO;
    // Up to 50 % more, so that informers don't retry simultaneously.
    return pause.plusNanos((long) (pause.toNanos() * 0.5 * random.nextDouble()));
  }

  /** Cancels the watch if it was silent for longer than {@code limit}; true if so. */
  boolean cutIfSilent(Duration limit) {
    Call silent;
    synchronized (this) {
      if (call == null || age(lastActivity).compareTo(limit) <= 0) {
        return false;
      }
      cutForSilence = true;
      silent = call;
    }
    silent.cancel();
    return true;
  }

  /** Cancels the watch. */
  void cancel() {
    @Nullable Call open;
    synchronized (this) {
      open = call;
    }
    if (open != null) {
      open.cancel();
    }
  }

  synchronized boolean wasCutForSilence() {
    return cutForSilence;
  }

  synchronized WatchState state(boolean served, int unreadable) {
    return new WatchState(
        served,
        watching,
        lastEvent == null ? null : age(lastEvent),
        age(lastActivity),
        relists,
        failures,
        lastError,
        unreadable);
  }

  private Duration age(Instant since) {
    return Duration.between(since, time.instant());
  }
}
