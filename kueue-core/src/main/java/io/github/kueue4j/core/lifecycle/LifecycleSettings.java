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
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The part of the configuration that decides the lifecycle.
 *
 * @param acRequeueAfter feature gate {@code ACRequeueAfter} (Beta, on): whether checks can delay a
 *     requeue. Off, a Retry resets its entries at eviction and is requeued at once
 * @param maximumRetryDelay bound on the delay of one check; default 24 h, at most 100 years
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

  /** These settings with the gate as given. */
  public LifecycleSettings withAcRequeueAfter(boolean enabled) {
    return new LifecycleSettings(enabled, maximumRetryDelay, jitterSeed);
  }

  /** These settings with another bound on delays. */
  public LifecycleSettings withMaximumRetryDelay(Duration bound) {
    return new LifecycleSettings(acRequeueAfter, bound, jitterSeed);
  }
}
