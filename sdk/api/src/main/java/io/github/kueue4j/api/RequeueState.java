// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How often a workload was requeued, and when it may be queued again.
 *
 * @param count requeues because its pods were not ready in time (KEP-1282), 0 or more
 * @param requeueAt not queued before this instant (KEP-1282, KEP-3258); whole seconds, a fraction
 *     is cut off
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RequeueState(@Nullable Integer count, @Nullable Instant requeueAt) {
  public RequeueState {
    requeueAt = Lenient.seconds(requeueAt);
  }
}
