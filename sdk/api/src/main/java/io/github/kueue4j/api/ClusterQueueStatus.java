// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The usage of a ClusterQueue.
 *
 * @param conditions keyed by type: {@code Active}
 * @param flavorsReservation quota of workloads that have a reservation
 * @param flavorsUsage quota of workloads that are admitted
 * @param pendingWorkloads waiting for quota
 * @param reservingWorkloads with a reservation
 * @param admittedWorkloads admitted and not finished
 * @param fairSharing share, while fair sharing is on
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ClusterQueueStatus(
    List<Condition> conditions,
    List<FlavorUsage> flavorsReservation,
    List<FlavorUsage> flavorsUsage,
    @Nullable Integer pendingWorkloads,
    @Nullable Integer reservingWorkloads,
    @Nullable Integer admittedWorkloads,
    @Nullable FairSharingStatus fairSharing) {
  public ClusterQueueStatus {
    conditions = Lenient.list(conditions);
    flavorsReservation = Lenient.list(flavorsReservation);
    flavorsUsage = Lenient.list(flavorsUsage);
  }

  /** The status of an object that no controller has touched yet. */
  public static ClusterQueueStatus empty() {
    return new ClusterQueueStatus(List.of(), List.of(), List.of(), null, null, null, null);
  }
}
