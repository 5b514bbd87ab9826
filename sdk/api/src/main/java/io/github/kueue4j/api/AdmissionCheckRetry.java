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
package io.github.kueue4j.api;

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * kueue4j extension: the delay of a Retry that names none itself.
 *
 * <p>Static waits {@code baseDelay} each time; Backoff waits {@code baseDelay · factor^retryCount},
 * at most {@code maxDelay}. Both are then stretched by up to {@code jitter}.
 *
 * @param strategy absent is Static
 * @param baseDelay the first delay
 * @param maxDelay the longest delay before jitter; absent leaves the configured maximum
 * @param factor 1 or more; absent is 2
 * @param jitter 0 to 1: the delay is stretched by at most this part, never shortened; absent is 0.2
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

  /** A copy with another {@code strategy}. */
  public AdmissionCheckRetry withStrategy(RetryStrategy strategy) {
    return new AdmissionCheckRetry(strategy, baseDelay, maxDelay, factor, jitter);
  }

  /** A copy with another {@code baseDelay}. */
  public AdmissionCheckRetry withBaseDelay(Duration baseDelay) {
    return new AdmissionCheckRetry(strategy, baseDelay, maxDelay, factor, jitter);
  }

  /** A copy with another {@code maxDelay}. */
  public AdmissionCheckRetry withMaxDelay(@Nullable Duration maxDelay) {
    return new AdmissionCheckRetry(strategy, baseDelay, maxDelay, factor, jitter);
  }

  /** A copy with another {@code factor}. */
  public AdmissionCheckRetry withFactor(Double factor) {
    return new AdmissionCheckRetry(strategy, baseDelay, maxDelay, factor, jitter);
  }

  /** A copy with another {@code jitter}. */
  public AdmissionCheckRetry withJitter(Double jitter) {
    return new AdmissionCheckRetry(strategy, baseDelay, maxDelay, factor, jitter);
  }
}
