// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Tells one reservation of a Workload from another; without quota, one spec that waits from
 * another.
 *
 * @param quotaReserved the value of the QuotaReserved condition
 * @param since the condition's last transition, whole seconds; the epoch if there is none
 * @param admission what is reserved; absent without a reservation
 * @param generation of the spec that waits; absent with a reservation
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Reservation(
    boolean quotaReserved,
    Instant since,
    @Nullable Admission admission,
    @Nullable Long generation) {

  /** The reservation that this object shows. */
  public static Reservation of(Workload workload) {
    return workload
        .conditions()
        .find(WorkloadConditions.QUOTA_RESERVED)
        .map(condition -> of(condition, workload))
        .orElseGet(
            () -> new Reservation(false, Instant.EPOCH, null, workload.metadata().getGeneration()));
  }

  private static Reservation of(Condition condition, Workload workload) {
    return new Reservation(
        condition.isTrue(),
        condition.lastTransitionTime(),
        workload.status().admission(),
        condition.isTrue() ? null : workload.metadata().getGeneration());
  }
}
