// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.ClusterQueueSpec;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of how the core waits for the pods of admitted Workloads to get ready
 * (KEP-1282), if it does.
 *
 * @param policy for ClusterQueues without {@code waitForPodsReady}; null if it is off for those
 * @param allowed false switches it off for all ClusterQueues, whatever their spec says
 * @param blockAdmission whether no Workload gets quota while pods of an admitted one aren't ready
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WaitForPodsReady(
    @Nullable PodsReadyPolicy policy, boolean allowed, boolean blockAdmission) {

  /** On for the ClusterQueues whose spec has {@code waitForPodsReady} only. */
  public static WaitForPodsReady ifAsked() {
    return new WaitForPodsReady(null, true, false);
  }

  /** Off for all ClusterQueues. */
  public static WaitForPodsReady never() {
    return new WaitForPodsReady(null, false, false);
  }

  /** The policy for a ClusterQueue; empty if readiness of its Workloads' pods isn't awaited. */
  public Optional<PodsReadyPolicy> in(@Nullable ClusterQueueSpec queue) {
    var own = queue == null ? null : queue.waitForPodsReady();
    if (!allowed || (policy == null && own == null)) {
      return Optional.empty();
    }
    return Optional.of((policy == null ? PodsReadyPolicy.defaults() : policy).with(own));
  }
}
