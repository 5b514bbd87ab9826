// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.time.ApiTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic on instants as the API stores them, in whole seconds.
 *
 * <p>What says "not before" is rounded up, so that a stored instant is never earlier than the exact
 * one; what says "since" is rounded down, so that it doesn't lie in the future. A deadline with
 * fractions of a second would differ from a requeueAt in whole seconds for ever, and R5 would
 * rewrite it for ever.
 */
final class ApiSeconds {
  private ApiSeconds() {}

  static Instant floor(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }

  static Instant ceil(Instant instant) {
    return ApiTime.roundUpToSecond(instant);
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
