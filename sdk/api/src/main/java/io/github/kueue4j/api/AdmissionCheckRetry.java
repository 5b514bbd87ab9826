// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * kueue4j extension: the delay of a Retry without {@code requeueAfterSeconds}.
 *
 * <p>Static waits {@code baseDelay} each time; Backoff waits {@code baseDelay · factor^retryCount},
 * at most {@code maxDelay}. Both are then extended by up to {@code jitter}.
 *
 * @param strategy absent is Static
 * @param baseDelay the first delay
 * @param maxDelay the longest delay before jitter; absent for the configured maximum
 * @param factor 1 or more; absent is 2
 * @param jitter 0 to 1: the largest part of the delay that is added to it, never subtracted; absent
 *     is 0.2
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AdmissionCheckRetry(
    RetryStrategy strategy,
    @Required Duration baseDelay,
    @Nullable Duration maxDelay,
    Double factor,
    Double jitter) {
  public AdmissionCheckRetry {
    strategy = strategy == null ? RetryStrategy.STATIC : strategy;
    baseDelay = baseDelay == null ? Duration.ZERO : baseDelay;
    factor = factor == null ? 2.0 : factor;
    jitter = jitter == null ? 0.2 : jitter;
  }
}
