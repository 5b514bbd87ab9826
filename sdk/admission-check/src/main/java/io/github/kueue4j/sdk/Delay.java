// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * How long a workload stays out of its queue after a {@link Verdict.Retry}. It becomes the entry's
 * {@code requeueAfterSeconds} (KEP-3258), counted from the moment the verdict is written, in whole
 * seconds rounded up.
 *
 * @see Check
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Delay {

  /**
   * No delay of the check's own: {@code requeueAfterSeconds} stays absent. What the AdmissionCheck
   * object configures applies, otherwise the core's shortest delay, a second unless configured
   * otherwise: a check that goes on answering so is asked once a second.
   */
  record None() implements Delay {
    private static final None INSTANCE = new None();
  }

  /**
   * Exactly this long, without jitter. Zero is a delay too: the core's shortest, whatever the
   * AdmissionCheck object configures.
   *
   * @param duration zero or positive
   */
  record Exact(Duration duration) implements Delay {
    /**
     * @throws IllegalArgumentException if the duration is negative
     */
    public Exact {
      if (duration.isNegative()) {
        throw new IllegalArgumentException("a delay can't be negative: " + duration);
      }
    }
  }

  /** As long as the backoff says for the workload's attempt number. */
  record From(Backoff backoff) implements Delay {}

  /** No delay of the check's own. */
  static Delay none() {
    return None.INSTANCE;
  }

  /** Exactly this long, zero or positive. */
  static Delay exactly(Duration duration) {
    return new Exact(duration);
  }

  /** As long as the backoff says for the workload's attempt number. */
  static Delay from(Backoff backoff) {
    return new From(backoff);
  }

  /**
   * The delay in whole seconds, rounded up, for one attempt.
   *
   * @param attempt the entry's {@code retryCount}, 0 for the first Retry of a workload
   * @param now the moment from which the delay counts
   * @param random the source of jitter
   * @return at most {@link Integer#MAX_VALUE} seconds; empty for {@link None}
   */
  default Optional<Duration> resolve(int attempt, Instant now, RandomGenerator random) {
    return switch (this) {
      case None none -> Optional.empty();
      case Exact exact -> Optional.of(wholeSeconds(exact.duration()));
      case From from -> Optional.of(wholeSeconds(from.backoff().delay(attempt, now, random)));
    };
  }

  private static Duration wholeSeconds(Duration duration) {
    if (duration.toSeconds() >= Integer.MAX_VALUE) {
      return Duration.ofSeconds(Integer.MAX_VALUE);
    }
    return Duration.ofSeconds(duration.toSeconds() + (duration.toNanosPart() == 0 ? 0 : 1));
  }
}
