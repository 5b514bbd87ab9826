// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** A time source whose tasks report their Errors, which its own thread would survive. */
record GuardedTime(TimeSource source, FatalErrors errors) implements TimeSource {

  @Override
  public Instant instant() {
    return source.instant();
  }

  @Override
  public Cancellable at(Instant when, Runnable task) {
    return source.at(when, guarded(task));
  }

  @Override
  public Cancellable after(Duration delay, Runnable task) {
    return source.after(delay, guarded(task));
  }

  @Override
  public TimeSource steady() {
    TimeSource steady = source.steady();
    return steady.equals(source) ? this : new GuardedTime(steady, errors);
  }

  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Error error) {
        errors.report(error);
      }
    };
  }

  @Override
  public void close() {
    source.close();
  }
}
