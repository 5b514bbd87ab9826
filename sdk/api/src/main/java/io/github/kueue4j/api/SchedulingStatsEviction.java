// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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

  /** A copy with another {@code count}. */
  public SchedulingStatsEviction withCount(int count) {
    return new SchedulingStatsEviction(reason, underlyingCause, count);
  }
}
