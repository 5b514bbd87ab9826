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
import org.jspecify.annotations.Nullable;

/**
 * The pods of an admitted Workload did not get ready in time (KEP-1282).
 *
 * @param timeout the time that was given, for the message
 * @param underlyingCause WaitForStart or WaitForRecovery
 * @param backoffLimitCount how many times it is requeued before it is deactivated; null for no
 *     limit
 * @param backoffBase delay of the first requeue; doubles with every further one; not negative
 * @param backoffMax bound on the delay; null or zero for none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodsReadyTimeout(
    Duration timeout,
    String underlyingCause,
    @Nullable Integer backoffLimitCount,
    Duration backoffBase,
    @Nullable Duration backoffMax) {

  private static final double LONGEST_SECONDS = Duration.ofDays(36_500).toSeconds();

  public PodsReadyTimeout {
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(underlyingCause, "underlyingCause");
    Objects.requireNonNull(backoffBase, "backoffBase");
    if (backoffBase.isNegative()) {
      throw new IllegalArgumentException("backoffBaseSeconds must not be negative: " + backoffBase);
    }
  }

  /**
   * The delay of the n-th requeue: base · 2^(n−1), bounded, in whole seconds. Without jitter: it
   * would be lost in the rounding of requeueAt.
   *
   * @param count n, from 1
   */
  Duration delay(int count) {
    double grown =
        backoffBase.isZero() ? 0 : backoffBase.toMillis() / 1000.0 * Math.pow(2, count - 1.0);
    double bound =
        backoffMax == null || !backoffMax.isPositive()
            ? LONGEST_SECONDS
            : backoffMax.toMillis() / 1000.0;
    return Duration.ofSeconds((long) Math.ceil(Math.min(grown, Math.min(bound, LONGEST_SECONDS))));
  }
}
