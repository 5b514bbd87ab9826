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
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.Workload;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Where a Workload stands, derived from the object alone; the first constant whose condition holds
 * wins.
 *
 * <p>A queue takes a Workload in by its phase, never by looking at the Requeued condition or at
 * requeueAt. Evicted=True alone says nothing: it stays True after the release, as history.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Phase {
  /** Finished=True; nothing acts any more. */
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
    Reading reading = new Reading(workload);
    if (reading.finished()) {
      return FINISHED;
    }
    if (!reading.active()) {
      return DEACTIVATED;
    }
    if (reading.reserved()) {
      if (reading.evicted()) {
        return EVICTING;
      }
      return reading.admitted() ? ADMITTED : RESERVED;
    }
    String heldFor = reading.heldFor();
    if (Reasons.ADMISSION_CHECK.equals(heldFor)
        || Reasons.PODS_READY_TIMEOUT.equals(heldFor)
        || !reading.retries(required).isEmpty()) {
      return BACKOFF;
    }
    return heldFor == null ? QUEUED : HELD;
  }

  /** Whether the Workload's usage counts: while QuotaReserved=True, until it is Finished. */
  public static boolean holdsQuota(Workload workload) {
    Reading reading = new Reading(workload);
    return reading.reserved() && !reading.finished();
  }

  /** Active, unfinished, without a reservation. */
  boolean waits() {
    return this == BACKOFF || this == HELD || this == QUEUED;
  }
}
