// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import org.apiguardian.api.API;

/**
 * Where a Workload stands, read from the object alone ({@code docs/lifecycle.md}, "Where a Workload
 * can stand"; the first match wins), as far as a check controller can tell. It doesn't know which
 * checks the queue requires, so an entry in Retry counts here even if it is about to be removed;
 * what that lets through is a Retry without a reservation, which the queue controller picks up like
 * any other (its rule R7).
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Phase {
  /** Being deleted. */
  DELETING,
  /** Finished for good. */
  FINISHED,
  /** {@code spec.active} is false. */
  DEACTIVATED,
  /** Evicted, and its owner still holds the reservation. */
  EVICTING,
  /** Started. */
  ADMITTED,
  /** Quota is reserved: the checks are running. */
  RESERVED,
  /** Sent back by a check or a pods-ready timeout, waiting for its delay. */
  BACKOFF,
  /** Waiting for quota or for its queue. */
  QUEUED;

  /** Whether quota is reserved and not about to be given back. */
  public boolean holdsReservation() {
    return this == RESERVED || this == ADMITTED;
  }

  /** The phase of this object. */
  public static Phase of(Workload workload) {
    WorkloadConditions conditions = workload.conditions();
    if (workload.metadata().getDeletionTimestamp() != null) {
      return DELETING;
    }
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
    return conditions.heldForDelay() || retries(workload) ? BACKOFF : QUEUED;
  }

  private static boolean retries(Workload workload) {
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      if (entry.is(CheckState.RETRY)) {
        return true;
      }
    }
    return false;
  }
}
