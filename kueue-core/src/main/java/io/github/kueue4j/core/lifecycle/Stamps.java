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
package io.github.kueue4j.core.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic of instants as the API stores them, in whole seconds.
 *
 * <p>What says "not before" is rounded up, so that a stored instant is never earlier than the exact
 * one; what says "since" is rounded down, so that it doesn't lie in the future. Mixing them up is
 * how a sub-second deadline and a second-precise requeueAt end up corrected against each other for
 * ever.
 */
final class Stamps {
  private Stamps() {}

  static Instant floor(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }

  static Instant ceil(Instant instant) {
    Instant floor = floor(instant);
    return floor.equals(instant) ? instant : floor.plusSeconds(1);
  }

  static Instant later(Instant one, @Nullable Instant other) {
    return other == null || one.isAfter(other) ? one : other;
  }

  static @Nullable Instant laterOrNull(@Nullable Instant one, @Nullable Instant other) {
    return one == null ? other : later(one, other);
  }

  static @Nullable Instant earlierOrNull(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }

  /** The time from one instant to a later one; zero if it isn't later. */
  static Duration between(@Nullable Instant from, Instant to) {
    return from == null || from.isAfter(to) ? Duration.ZERO : Duration.between(from, to);
  }
}
