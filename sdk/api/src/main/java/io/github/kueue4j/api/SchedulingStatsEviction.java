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

import org.apiguardian.api.API;

/**
 * How often a workload was evicted for one cause.
 *
 * @param reason the reason of the Evicted condition
 * @param underlyingCause finer cause, may be empty
 * @param count 0 or more
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SchedulingStatsEviction(
    @Required String reason, @Required String underlyingCause, @Required int count) {
  public SchedulingStatsEviction {
    reason = Lenient.text(reason);
    underlyingCause = Lenient.text(underlyingCause);
  }

  /** A copy with another {@code reason}. */
  public SchedulingStatsEviction withReason(String reason) {
    return new SchedulingStatsEviction(reason, underlyingCause, count);
  }

  /** A copy with another {@code underlyingCause}. */
  public SchedulingStatsEviction withUnderlyingCause(String underlyingCause) {
    return new SchedulingStatsEviction(reason, underlyingCause, count);
  }

  /** A copy with another {@code count}. */
  public SchedulingStatsEviction withCount(int count) {
    return new SchedulingStatsEviction(reason, underlyingCause, count);
  }
}
