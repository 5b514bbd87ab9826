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
package io.github.kueue4j.sdk.fence;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Where a Workload stands, read from the object alone (LIFECYCLE.md section 1; the first match
 * wins), as far as a check controller can tell. It doesn't know which checks the queue requires, so
 * an entry in Retry counts here even if it is about to be removed; what that lets through is a
 * Retry without a reservation, which the queue controller picks up like any other (its rule R7).
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

  private static final Set<String> BACKOFF_REASONS = Set.of("AdmissionCheck", "PodsReadyTimeout");

  /** Whether quota is reserved and not about to be given back. */
  public boolean holdsReservation() {
    return this == RESERVED || this == ADMITTED;
  }

  /** The phase of this object. */
  public static Phase of(Workload workload) {
    List<Condition> conditions = workload.status().conditions();
    if (workload.metadata().getDeletionTimestamp() != null) {
      return DELETING;
    }
    if (Conditions.isTrue(conditions, WorkloadConditions.FINISHED)) {
      return FINISHED;
    }
    if (!workload.spec().active()) {
      return DEACTIVATED;
    }
    if (Conditions.isTrue(conditions, WorkloadConditions.QUOTA_RESERVED)) {
      if (Conditions.isTrue(conditions, WorkloadConditions.EVICTED)) {
        return EVICTING;
      }
      return Conditions.isTrue(conditions, WorkloadConditions.ADMITTED) ? ADMITTED : RESERVED;
    }
    return inBackoff(workload) ? BACKOFF : QUEUED;
  }

  private static boolean inBackoff(Workload workload) {
    for (AdmissionCheckState entry : workload.status().admissionChecks()) {
      if (entry.is(CheckState.RETRY)) {
        return true;
      }
    }
    return Conditions.find(workload.status().conditions(), WorkloadConditions.REQUEUED)
        .filter(Condition::isFalse)
        .filter(requeued -> BACKOFF_REASONS.contains(requeued.reason()))
        .isPresent();
  }
}
