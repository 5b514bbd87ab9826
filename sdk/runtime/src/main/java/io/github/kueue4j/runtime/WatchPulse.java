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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;

/**
 * The signs of life of one informer: what its probes show, how long it pauses after failures, and
 * which watch call to cut when it falls silent. Safe for use by many threads.
 */
final class WatchPulse {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final String resource;
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

  WatchPulse(String resource, TimeSource time, RandomGenerator random) {
    this.resource = resource;
    this.time = time;
    this.random = random;
    this.lastActivity = time.instant();
  }

  /**
   * A complete list arrived. That alone ends no row of failures: the watch may still be refused.
   */
  synchronized void listed() {
    relists++;
    lastActivity = time.instant();
    lastEvent = lastActivity;
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
   * The watch is over without an error.
   *
   * @param fruitful whether it brought anything or lasted; one that ends at once, again and again,
   *     must not become a busy loop
   */
  synchronized void ended(boolean fruitful) {
    watching = false;
    call = null;
    lastActivity = time.instant();
    if (fruitful) {
      succeeded();
    } else {
      failures++;
      lastError = "the server ends the watch at once";
    }
  }

  /** A list or a watch failed; the server may have asked for patience. */
  synchronized void failed(Throwable failure) {
    failed(HttpApi.describe(failure));
    patience = HttpApi.patience(failure);
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
   * How long to pause before the next request: none after a success, longer and longer after
   * failures in a row. Asked once per failure: a list that follows the pause needs no second one
   * before its watch.
   */
  synchronized Duration pause() {
    if (pausedFor == failures) {
      return Duration.ZERO;
    }
    pausedFor = failures;
    Duration pause = backoff.after(failures);
    pause = pause.compareTo(patience) < 0 ? patience : pause;
    patience = Duration.ZERO;
    // Up to half as much again, so that informers don't come back in step.
    return pause.plusNanos((long) (pause.toNanos() * 0.5 * random.nextDouble()));
  }

  /** Ends the watch if nothing came for longer than {@code limit}; true if it did. */
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

  /** Ends the watch, whatever it is doing. */
  void cut() {
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

  synchronized InformerHealth health(boolean synced) {
    return new InformerHealth(
        resource,
        synced,
        watching,
        lastEvent == null ? null : age(lastEvent),
        age(lastActivity),
        relists,
        failures,
        lastError);
  }

  private Duration age(Instant since) {
    return Duration.between(since, time.instant());
  }
}
