// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The phase of a Workload's life, derived from the object alone; the first constant whose condition
 * holds applies (see {@code docs/lifecycle.md}, "Where a Workload can stand").
 *
 * <p>Whether a Workload belongs in a queue depends on its phase, never on the Requeued condition or
 * requeueAt alone. Evicted=True alone decides nothing: it stays True after the release.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Phase {
  /** Finished=True; no rule acts any more. */
  FINISHED,
  /** {@code spec.active} is false. */
  DEACTIVATED,
  /** Quota is reserved and Evicted=True: waiting for the owner to stop. */
  EVICTING,
  /** Quota is reserved and Admitted=True: the owner may run. */
  ADMITTED,
  /** Quota is reserved: the checks are running. */
  RESERVED,
  /** Requeued=False for a check or for pods that weren't ready, or a required entry in Retry. */
  BACKOFF,
  /** Requeued=False for another reason, such as a stopped queue. */
  HELD,
  /** Everything else: waiting for quota. */
  QUEUED;

  /**
   * The phase of a Workload.
   *
   * @param workload as read
   * @param required names of the checks that count: by the assigned flavors while quota is
   *     reserved, by any flavor of the queue otherwise
   */
  public static Phase of(Workload workload, Set<String> required) {
    WorkloadConditions conditions = workload.conditions();
    if (conditions.finished()) {
      return FINISHED;
    }
    if (!workload.spec().active()) {
      return DEACTIVATED;
    }
    if (conditions.reserved()) {
      if (conditions.evicted()) {
        return EVICTING;
      }
      return conditions.admitted() ? ADMITTED : RESERVED;
    }
    if (conditions.heldForDelay()
        || !Entries.retries(workload.status().admissionChecks(), required).isEmpty()) {
      return BACKOFF;
    }
    return conditions.heldFor().isPresent() ? HELD : QUEUED;
  }

  /** Whether the Workload's usage counts: while QuotaReserved=True, until it is Finished. */
  public static boolean holdsQuota(Workload workload) {
    return workload.conditions().holdsQuota();
  }

  /** Active, unfinished, without a reservation. */
  boolean waits() {
    return this == BACKOFF || this == HELD || this == QUEUED;
  }
}
