// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.view;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds a sample to the history once a minute. */
final class HistorySampler implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HistorySampler.class);

  private final ViewSnapshots snapshots;
  private final UsageHistory history;
  private final TimeSource time;

  // Guarded by this.
  private @Nullable Cancellable next;
  private boolean closed;

  HistorySampler(ViewSnapshots snapshots, UsageHistory history, TimeSource time) {
    this.snapshots = snapshots;
    this.history = history;
    this.time = time;
  }

  /** Takes the first sample after a minute. */
  synchronized void start() {
    if (!closed) {
      next = time.after(UsageHistory.INTERVAL, this::due);
    }
  }

  /** The State's answer may take its time, which a timer may not. */
  private void due() {
    Thread.ofVirtual().name("view-history").start(this::sample);
  }

  private void sample() {
    try {
      history.add(ShownQueues.of(snapshots.current(), true, ""));
    } catch (ViewProblem e) {
      log.atWarn().setCause(e).log("No sample for the history of shares in this minute");
    } finally {
      start();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }
}
