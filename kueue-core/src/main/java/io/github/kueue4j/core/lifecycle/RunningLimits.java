// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The instants at which limits end an admitted Workload's run.
 *
 * @param podsReady when it is evicted, or deactivated at a limit, unless its pods are ready by then
 *     (KEP-1282); null if readiness of the pods isn't awaited
 * @param executionTime when its maximum execution time is reached; null without one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RunningLimits(@Nullable Instant podsReady, @Nullable Instant executionTime) {

  /** The earlier of the two; null if there is none. */
  public @Nullable Instant earliest() {
    return ApiSeconds.earlierOrNull(podsReady, executionTime);
  }
}
