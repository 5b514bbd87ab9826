// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The readiness of an admitted Workload's pods, and the policy for those that aren't ready
 * (KEP-1282).
 *
 * @param policy null if readiness of the pods isn't awaited
 * @param pods their state as the owner's status reports it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodsReadiness(@Nullable PodsReadyPolicy policy, Pods pods) {

  /** The state of the pods as the owner's status reports it. */
  public enum Pods {
    /** Unknown: there is no owner, or another controller is responsible for it. */
    UNKNOWN,
    /** At least one pod isn't ready and hasn't succeeded, or hasn't started yet. */
    NOT_READY,
    /** All are ready or have succeeded. */
    READY
  }

  /** Readiness of the pods is neither awaited nor known. */
  public static final PodsReadiness NOT_ASKED = new PodsReadiness(null, Pods.UNKNOWN);

  /** Whether the core itself maintains the condition PodsReady. */
  boolean observed() {
    return policy != null && pods != Pods.UNKNOWN;
  }
}
