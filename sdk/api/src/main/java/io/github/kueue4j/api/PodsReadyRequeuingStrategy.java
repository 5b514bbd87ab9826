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
 * kueue4j extension: how one ClusterQueue requeues workloads whose pods were not ready in time
 * (KEP-1282).
 *
 * @param timestamp the time that orders requeued workloads
 * @param backoffLimitCount requeues before the workload is deactivated, 0 or more
 * @param backoffBaseSeconds first delay in seconds, doubled by each requeue
 * @param backoffMaxSeconds longest delay in seconds
 * @param backoffLimitTimeout time since the first admission without ready pods after which the
 *     workload is deactivated
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodsReadyRequeuingStrategy(
    @Nullable RequeuingTimestamp timestamp,
    @Nullable Integer backoffLimitCount,
    @Nullable Integer backoffBaseSeconds,
    @Nullable Integer backoffMaxSeconds,
    @Nullable Duration backoffLimitTimeout) {
  /** A copy with another {@code timestamp}. */
  public PodsReadyRequeuingStrategy withTimestamp(@Nullable RequeuingTimestamp timestamp) {
    return new PodsReadyRequeuingStrategy(
        timestamp, backoffLimitCount, backoffBaseSeconds, backoffMaxSeconds, backoffLimitTimeout);
  }

  /** A copy with another {@code backoffLimitCount}. */
  public PodsReadyRequeuingStrategy withBackoffLimitCount(@Nullable Integer backoffLimitCount) {
    return new PodsReadyRequeuingStrategy(
        timestamp, backoffLimitCount, backoffBaseSeconds, backoffMaxSeconds, backoffLimitTimeout);
  }

  /** A copy with another {@code backoffBaseSeconds}. */
  public PodsReadyRequeuingStrategy withBackoffBaseSeconds(@Nullable Integer backoffBaseSeconds) {
    return new PodsReadyRequeuingStrategy(
        timestamp, backoffLimitCount, backoffBaseSeconds, backoffMaxSeconds, backoffLimitTimeout);
  }

  /** A copy with another {@code backoffMaxSeconds}. */
  public PodsReadyRequeuingStrategy withBackoffMaxSeconds(@Nullable Integer backoffMaxSeconds) {
    return new PodsReadyRequeuingStrategy(
        timestamp, backoffLimitCount, backoffBaseSeconds, backoffMaxSeconds, backoffLimitTimeout);
  }

  /** A copy with another {@code backoffLimitTimeout}. */
  public PodsReadyRequeuingStrategy withBackoffLimitTimeout(
      @Nullable Duration backoffLimitTimeout) {
    return new PodsReadyRequeuingStrategy(
        timestamp, backoffLimitCount, backoffBaseSeconds, backoffMaxSeconds, backoffLimitTimeout);
  }
}
