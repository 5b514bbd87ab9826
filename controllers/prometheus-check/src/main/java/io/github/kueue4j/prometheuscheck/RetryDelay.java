// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.sdk.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * How long a Workload waits after a Retry: at most one of the first three.
 *
 * @param fixed always the same
 * @param backoff longer with each attempt; what holds without any of the three: 30 s, doubled, at
 *     most 10 min
 * @param proportional longer the farther the value is from what it must be
 * @param spread over how long Workloads are spread that would otherwise come back together: each
 *     waits up to that much longer, but no longer than {@code max} of the backoff, or 24 h; absent:
 *     as long as the delay itself. Those that wait for the longest time wait up to that much less
 *     instead, half of it at least
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RetryDelay(
    Optional<Duration> fixed,
    Optional<Exponential> backoff,
    Optional<Proportional> proportional,
    Optional<Duration> spread) {
  /** As long as kueue-core honours unless configured otherwise. */
  private static final Duration LONGEST = Duration.ofHours(24);

  private static final Exponential DEFAULT =
      new Exponential(Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * {@code base · factor^attempt}, at most {@code max}; absent: 30 s, 2 and 10 min.
   *
   * @param factor 1 to 10
   */
  public record Exponential(
      Optional<Duration> base, Optional<Double> factor, Optional<Duration> max) {
    private static final Duration BASE = Duration.ofSeconds(30);
    private static final Duration MAX = Duration.ofMinutes(10);

    /**
     * @throws InvalidFieldException if a value is out of bounds
     */
    public Exponential {
      base.ifPresent(given -> refuse("base", given));
      max.ifPresent(given -> refuse("max", given));
      if (factor.isPresent() && !(factor.get() >= 1 && factor.get() <= 10)) {
        throw new InvalidFieldException(
            "factor", factor.get().toString(), "write a number from 1 to 10");
      }
      Duration first = base.orElse(BASE);
      if (first.compareTo(max.orElse(MAX)) > 0) {
        throw new InvalidFieldException(
            "base", first.toString(), "write a base of at most max; absent, they are 30s and 10m");
      }
    }

    Duration longest() {
      return max.orElse(MAX);
    }

    Backoff rule() {
      return Backoff.exponential(base.orElse(BASE), factor.orElse(2.0)).atMost(longest());
    }
  }

  /**
   * From {@code relaxed} just beyond the bound to {@code stressed} at the value {@code stressedAt}
   * and farther.
   */
  public record Proportional(Duration relaxed, Duration stressed, double stressedAt) {
    /**
     * @throws InvalidFieldException if a delay is out of bounds
     */
    public Proportional {
      refuse("relaxed", relaxed);
      refuse("stressed", stressed);
      if (stressed.compareTo(relaxed) < 0) {
        throw new InvalidFieldException(
            "stressed", stressed.toString(), "write a delay that is at least relaxed");
      }
    }
  }

  /**
   * @throws InvalidFieldException if there are several rules, or a delay is out of bounds
   */
  public RetryDelay {
    if (Stream.of(fixed, backoff, proportional).filter(Optional::isPresent).count() > 1) {
      throw new InvalidFieldException(
          "fixed, backoff and proportional",
          "given together",
          "write one of them, and leave out the others");
    }
    fixed.ifPresent(given -> refuse("fixed", given));
    if (spread.isPresent() && (spread.get().isNegative() || spread.get().compareTo(LONGEST) > 0)) {
      throw new InvalidFieldException(
          "spread", spread.get().toString(), "write a duration from 0s to 24h");
    }
  }

  private static void refuse(String field, Duration delay) {
    if (!delay.isPositive() || delay.compareTo(LONGEST) > 0) {
      throw new InvalidFieldException(
          field, delay.toString(), "write a duration of at most 24h, such as 5m");
    }
  }

  /** The rule that holds where none is given. */
  static RetryDelay usual() {
    return new RetryDelay(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * The delay of one attempt of one Workload: always the same for the same, different for others.
   *
   * @param attempt how often it was sent back before
   * @param value what was measured; not a number if nothing was
   * @param uid of the Workload
   */
  Duration delay(int attempt, double value, Threshold threshold, String uid) {
    Duration nominal =
        fixed.orElseGet(() -> rule(value, threshold).nominal(attempt, Instant.EPOCH));
    Duration longest = longest();
    Duration width = spread.orElse(nominal);
    if (nominal.compareTo(longest) < 0) {
      Duration left = shorter(width, longest.minus(nominal));
      return nominal.plus(part(left, uid, attempt));
    }
    return longest.minus(part(shorter(width, longest.dividedBy(2)), uid, attempt));
  }

  /** What is written as the longest delay is the longest, its spread included. */
  private Duration longest() {
    return fixed.isPresent() || proportional.isPresent()
        ? LONGEST
        : backoff.orElse(DEFAULT).longest();
  }

  private static Duration part(Duration width, String uid, int attempt) {
    return Duration.ofMillis((long) (width.toMillis() * share(uid, attempt)));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private Backoff rule(double value, Threshold threshold) {
    return proportional
        .map(
            given ->
                Backoff.proportional(
                    given.relaxed(), given.stressed(), threshold.stress(value, given.stressedAt())))
        .orElseGet(() -> backoff.orElse(DEFAULT).rule());
  }

  /** Between 0 and 1, evenly over all UIDs and attempts. */
  static double share(String uid, int attempt) {
    return new SplittableRandom(uid.hashCode() * 1_000_003L + attempt).nextDouble();
  }
}
