// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.ClusterQueuePodsReady;
import io.github.kueue4j.api.PodsReadyRequeuingStrategy;
import io.github.kueue4j.api.RequeuingTimestamp;
import java.time.Duration;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How long an admitted Workload may take until all of its pods are ready, and how it is requeued or
 * deactivated otherwise (KEP-1282).
 *
 * @param timeout from the admission until all pods are ready; positive
 * @param recoveryTimeout from the moment that a pod is no longer ready until all are again; not
 *     negative, zero for no limit
 * @param timestamp which time orders requeued Workloads in their queue
 * @param backoffLimitCount requeues before the Workload is deactivated; null for no limit
 * @param backoffBase the first delay, doubled by each further requeue; not negative
 * @param backoffMax the longest delay before jitter; zero for no bound
 * @param backoffLimitTimeout how long a Workload may go without ready pods, over all of its
 *     attempts, before it is deactivated; null for no limit
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodsReadyPolicy(
    Duration timeout,
    Duration recoveryTimeout,
    RequeuingTimestamp timestamp,
    @Nullable Integer backoffLimitCount,
    Duration backoffBase,
    Duration backoffMax,
    @Nullable Duration backoffLimitTimeout) {

  /** The default of {@code timeout}. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

  /** The default of {@code backoffBase}. */
  public static final Duration DEFAULT_BACKOFF_BASE = Duration.ofSeconds(60);

  /** The default of {@code backoffMax}. */
  public static final Duration DEFAULT_BACKOFF_MAX = Duration.ofHours(1);

  /** The largest jitter, as a share of the delay. */
  static final double JITTER = 0.05;

  private static final double LONGEST_SECONDS = Duration.ofDays(36_500).toSeconds();

  public PodsReadyPolicy {
    Objects.requireNonNull(timestamp, "timestamp");
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("a pods-ready timeout must be positive: " + timeout);
    }
    if (recoveryTimeout.isNegative()
        || backoffBase.isNegative()
        || backoffMax.isNegative()
        || (backoffLimitTimeout != null && backoffLimitTimeout.isNegative())
        || (backoffLimitCount != null && backoffLimitCount < 0)) {
      throw new IllegalArgumentException(
          "nothing in a pods-ready policy may be negative: "
              + recoveryTimeout
              + ", "
              + backoffBase
              + ", "
              + backoffMax
              + ", "
              + backoffLimitTimeout
              + ", "
              + backoffLimitCount);
    }
  }

  /**
   * The defaults: a timeout of 30 min, requeued without limit, with a backoff from 1 min to 1 h.
   */
  public static PodsReadyPolicy defaults() {
    return new PodsReadyPolicy(
        DEFAULT_TIMEOUT,
        DEFAULT_TIMEOUT,
        RequeuingTimestamp.EVICTION,
        null,
        DEFAULT_BACKOFF_BASE,
        DEFAULT_BACKOFF_MAX,
        null);
  }

  /**
   * This policy with the overrides of a ClusterQueue, read leniently: values out of range count as
   * their bound or as absent.
   */
  public PodsReadyPolicy with(@Nullable ClusterQueuePodsReady own) {
    if (own == null) {
      return this;
    }
    PodsReadyRequeuingStrategy strategy =
        own.requeuingStrategy() == null
            ? new PodsReadyRequeuingStrategy(null, null, null, null, null)
            : own.requeuingStrategy();
    Duration ownTimeout = own.timeout();
    return new PodsReadyPolicy(
        ownTimeout != null && ownTimeout.isPositive() ? ownTimeout : timeout,
        notNegative(own.recoveryTimeout(), recoveryTimeout),
        Objects.requireNonNullElse(strategy.timestamp(), timestamp),
        strategy.backoffLimitCount() == null
            ? backoffLimitCount
            : Integer.valueOf(Math.max(0, strategy.backoffLimitCount())),
        seconds(strategy.backoffBaseSeconds(), backoffBase),
        seconds(strategy.backoffMaxSeconds(), backoffMax),
        strategy.backoffLimitTimeout() == null
            ? backoffLimitTimeout
            : notNegative(strategy.backoffLimitTimeout(), Duration.ZERO));
  }

  private static Duration seconds(@Nullable Integer seconds, Duration fallback) {
    return seconds == null ? fallback : Duration.ofSeconds(Math.max(0, seconds));
  }

  private static Duration notNegative(@Nullable Duration duration, Duration fallback) {
    return duration == null || duration.isNegative() ? fallback : duration;
  }

  /** Whether the first delay is longer than the longest, which counts then. */
  public boolean baseIsCut() {
    return !backoffMax.isZero() && backoffBase.compareTo(backoffMax) > 0;
  }

  /** Whether a requeued Workload keeps its position in the queue. */
  public boolean keepsPlace() {
    return timestamp.equals(RequeuingTimestamp.CREATION);
  }

  /**
   * The delay of the n-th requeue in whole seconds: base · 2^(n−1), bounded, and up to 5 % more, so
   * that Workloads that were evicted together are not requeued together. The KEP's own jitter, a
   * ten-thousandth, would be lost in {@code requeueAt}, which has whole seconds.
   *
   * @param count n, from 1
   * @param draw a number from 0 (inclusive) to 1 (exclusive) that decides the jitter
   */
  Duration delay(int count, double draw) {
    double base = backoffBase.toMillis() / 1000.0;
    // 0 · ∞ is not a number: a zero base stays zero whatever the count.
    double grown = base == 0 ? 0 : base * Math.pow(2, count - 1.0);
    double bound = backoffMax.isZero() ? LONGEST_SECONDS : backoffMax.toMillis() / 1000.0;
    double bounded = Math.ceil(Math.min(grown, Math.min(bound, LONGEST_SECONDS)));
    return Duration.ofSeconds((long) Math.floor(bounded * (1 + JITTER * draw)));
  }
}
