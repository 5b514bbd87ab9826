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
package io.github.kueue4j.testkit.conformance;

import io.github.kueue4j.api.time.Cancellable;
import io.github.kueue4j.api.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * A clock that is a minute late: what the kit reserves has been reserved for a minute, so that a
 * state that changes now has another time than before, although the API counts in whole seconds.
 */
record EarlierTime(TimeSource time) implements TimeSource {
  private static final Duration LATE = Duration.ofMinutes(1);

  @Override
  public Instant instant() {
    return time.instant().minus(LATE);
  }

  @Override
  public Cancellable at(Instant when, Runnable task) {
    return time.at(when.plus(LATE), task);
  }

  @Override
  public void close() {
    // The time belongs to somebody else.
  }
}
