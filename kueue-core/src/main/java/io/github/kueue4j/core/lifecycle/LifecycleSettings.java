// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.time.Duration;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The part of the configuration that the lifecycle depends on.
 *
 * @param acRequeueAfter feature gate {@code ACRequeueAfter} (Beta, on): whether checks can delay a
 *     requeue. If off, every Retry has the shortest delay
 * @param minimumRetryDelay shortest delay of a Retry, with or without one of its own; default 1 s,
 *     from 0 to {@code maximumRetryDelay}. Reservations are dated at least a second apart, so that
 *     with less than a second their dates can run ahead of the clock
 * @param maximumRetryDelay bound on the delay of one check; default 24 h, from 0 to 100 years
 * @param jitterSeed varies the jitter between installations; the same seed always gives the same
 *     delays
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LifecycleSettings(
    boolean acRequeueAfter,
    Duration minimumRetryDelay,
    Duration maximumRetryDelay,
    long jitterSeed) {

  /** The default of {@code minimumRetryDelay}, unless {@code maximumRetryDelay} is less. */
  public static final Duration DEFAULT_MINIMUM_RETRY_DELAY = Duration.ofSeconds(1);

  /** The default of {@code maximumRetryDelay}. */
  public static final Duration DEFAULT_MAXIMUM_RETRY_DELAY = Duration.ofHours(24);

  private static final Duration LONGEST = Duration.ofDays(36_500);

  public LifecycleSettings {
    Objects.requireNonNull(minimumRetryDelay, "minimumRetryDelay");
    Objects.requireNonNull(maximumRetryDelay, "maximumRetryDelay");
    if (maximumRetryDelay.isNegative() || maximumRetryDelay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "maximumRetryDelay must be between 0 and 100 years: " + maximumRetryDelay);
    }
    if (minimumRetryDelay.isNegative() || minimumRetryDelay.compareTo(maximumRetryDelay) > 0) {
      throw new IllegalArgumentException(
          "minimumRetryDelay must be between 0 and maximumRetryDelay: " + minimumRetryDelay);
    }
  }

  /** Gate on, delays from 1 s to 24 h. */
  public static LifecycleSettings defaults() {
    return new LifecycleSettings(true, DEFAULT_MINIMUM_RETRY_DELAY, DEFAULT_MAXIMUM_RETRY_DELAY, 0);
  }

  /** These settings with the gate {@code ACRequeueAfter} on or off. */
  public LifecycleSettings withAcRequeueAfter(boolean enabled) {
    return new LifecycleSettings(enabled, minimumRetryDelay, maximumRetryDelay, jitterSeed);
  }

  /** These settings with other bounds on delays. */
  public LifecycleSettings withRetryDelays(Duration minimum, Duration maximum) {
    return new LifecycleSettings(acRequeueAfter, minimum, maximum, jitterSeed);
  }
}
