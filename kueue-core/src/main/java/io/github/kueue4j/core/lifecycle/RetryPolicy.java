// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.AdmissionCheckRetry;
import io.github.kueue4j.api.RetryStrategy;
import java.time.Duration;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The delay that an AdmissionCheck's {@code spec.retry} (an extension of kueue4j) gives to a Retry
 * without requeueAfterSeconds.
 *
 * <p>Attempt n means retryCount = n (KEP-3258): the delay is {@code baseDelay} for a static policy
 * and {@code min(maxDelay, baseDelay · factor^n)} for a backoff, so 30 s and factor 2 give 8 min at
 * attempt 4. Jitter is added afterwards, once, and never makes a delay shorter; it may exceed
 * {@code maxDelay}, because otherwise all Workloads at the maximum would be requeued together.
 *
 * @param baseDelay the delay at attempt 0; not negative
 * @param maxDelay bound before jitter; not negative, null for none
 * @param factor growth per attempt; 1 for a static policy; at least 1
 * @param jitter the largest share of the delay that may be added, 0 to 1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RetryPolicy(
    Duration baseDelay, @Nullable Duration maxDelay, double factor, double jitter) {

  private static final double LONGEST_SECONDS = Duration.ofDays(36_500).toSeconds();

  public RetryPolicy {
    Objects.requireNonNull(baseDelay, "baseDelay");
    if (baseDelay.isNegative() || (maxDelay != null && maxDelay.isNegative())) {
      throw new IllegalArgumentException("a retry policy's delays must not be negative");
    }
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("a retry policy's factor must be at least 1: " + factor);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("a retry policy's jitter must be 0 to 1: " + jitter);
    }
  }

  /** The policy in {@code spec.retry}, read leniently: values out of range count as their bound. */
  static RetryPolicy of(AdmissionCheckRetry retry) {
    boolean grows = retry.strategy().equals(RetryStrategy.BACKOFF);
    Duration max = retry.maxDelay();
    return new RetryPolicy(
        notNegative(retry.baseDelay()),
        max == null ? null : notNegative(max),
        grows && retry.factor() > 1 ? retry.factor() : 1,
        retry.jitter() > 0 ? Math.min(1, retry.jitter()) : 0);
  }

  private static Duration notNegative(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  /** The same delay every time. */
  public static RetryPolicy fixed(Duration delay) {
    return new RetryPolicy(delay, null, 1, 0);
  }

  /** A delay that grows by {@code factor} per attempt up to {@code max}. */
  public static RetryPolicy backoff(Duration base, double factor, Duration max) {
    return new RetryPolicy(base, max, factor, 0);
  }

  /** This policy with jitter, a share of the delay from 0 to 1. */
  public RetryPolicy withJitter(double jitter) {
    return new RetryPolicy(baseDelay, maxDelay, factor, jitter);
  }

  /**
   * The delay of an attempt in whole seconds, rounded up.
   *
   * @param attempt the entry's retryCount; negative counts as 0
   * @param draw a number from 0 (inclusive) to 1 (exclusive) that decides the jitter
   */
  Duration delay(int attempt, double draw) {
    double seconds = baseDelay.toMillis() / 1000.0;
    // 0 · ∞ is not a number: a zero base stays zero whatever the factor.
    double grown = seconds == 0 ? 0 : seconds * Math.pow(factor, Math.max(0, attempt));
    double bound = maxDelay == null ? LONGEST_SECONDS : maxDelay.toMillis() / 1000.0;
    double bounded = Math.min(grown, Math.min(bound, LONGEST_SECONDS));
    // Round to the microsecond first, or a binary fraction like 0.1 + 0.2 rounds up a whole second.
    double jittered = Math.round(bounded * (1 + jitter * draw) * 1e6) / 1e6;
    return Duration.ofSeconds((long) Math.ceil(jittered));
  }
}
