// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Counters of a workload.
 *
 * @param evictions keyed by reason and underlying cause
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SchedulingStats(List<SchedulingStatsEviction> evictions) {
  public SchedulingStats {
    evictions = Lenient.list(evictions);
  }
}
