// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The usage through a LocalQueue.
 *
 * @param conditions keyed by type: {@code Active}
 * @param pendingWorkloads waiting for quota
 * @param reservingWorkloads with a reservation
 * @param admittedWorkloads admitted and not finished
 * @param flavorsReservation quota of workloads that have a reservation
 * @param flavorsUsage quota of workloads that are admitted
 * @param fairSharing past usage (KEP-4136)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LocalQueueStatus(
    List<Condition> conditions,
    @Nullable Integer pendingWorkloads,
    @Nullable Integer reservingWorkloads,
    @Nullable Integer admittedWorkloads,
    List<LocalQueueFlavorUsage> flavorsReservation,
    List<LocalQueueFlavorUsage> flavorsUsage,
    @Nullable FairSharingStatus fairSharing) {
  public LocalQueueStatus {
    conditions = Lenient.list(conditions);
    flavorsReservation = Lenient.list(flavorsReservation);
    flavorsUsage = Lenient.list(flavorsUsage);
  }

  /** The status of an object that no controller has touched yet. */
  public static LocalQueueStatus empty() {
    return new LocalQueueStatus(List.of(), null, null, null, List.of(), List.of(), null);
  }
}
