// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api.time;

import java.time.Instant;

/** A clock that may be set, beside one that can't be. */
record SteppingTime(TimeSource clock, TimeSource steady) implements TimeSource {

  @Override
  public Instant instant() {
    return clock.instant();
  }

  @Override
  public Cancellable at(Instant when, Runnable task) {
    return clock.at(when, task);
  }

  @Override
  public void close() {
    clock.close();
    steady.close();
  }
}
