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
 *     requeue. If off, a Retry resets the entries at eviction and the Workload is requeued at once
 * @param maximumRetryDelay bound on the delay of one check; default 24 h, from 0 to 100 years
 * @param jitterSeed varies the jitter between installations; the same seed always gives the same
 *     delays
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LifecycleSettings(
    boolean acRequeueAfter, Duration maximumRetryDelay, long jitterSeed) {

  /** The default of {@code maximumRetryDelay}. */
  public static final Duration DEFAULT_MAXIMUM_RETRY_DELAY = Duration.ofHours(24);

  private static final Duration LONGEST = Duration.ofDays(36_500);

  public LifecycleSettings {
    Objects.requireNonNull(maximumRetryDelay, "maximumRetryDelay");
    if (maximumRetryDelay.isNegative() || maximumRetryDelay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "maximumRetryDelay must be between 0 and 100 years: " + maximumRetryDelay);
    }
  }

  /** Gate on, delays up to 24 h. */
  public static LifecycleSettings defaults() {
    return new LifecycleSettings(true, DEFAULT_MAXIMUM_RETRY_DELAY, 0);
  }

  /** These settings with the gate {@code ACRequeueAfter} on or off. */
  public LifecycleSettings withAcRequeueAfter(boolean enabled) {
    return new LifecycleSettings(enabled, maximumRetryDelay, jitterSeed);
  }

  /** These settings with another bound on delays. */
  public LifecycleSettings withMaximumRetryDelay(Duration bound) {
    return new LifecycleSettings(acRequeueAfter, bound, jitterSeed);
  }
}
