// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import org.apiguardian.api.API;

/**
 * The Workloads of a queue and the quota that they hold.
 *
 * @param pending Workloads that wait for quota
 * @param reserving Workloads with a reservation, admitted ones included
 * @param admitted Workloads that are admitted
 * @param reservation quota of the reserving
 * @param usage quota of the admitted
 */
@API(status = API.Status.INTERNAL)
public record QueueCounts(
    int pending,
    int reserving,
    int admitted,
    Amounts<FlavorResource> reservation,
    Amounts<FlavorResource> usage) {
  /** The counts of an empty queue. */
  public static QueueCounts none() {
    return new QueueCounts(0, 0, 0, Amounts.none(), Amounts.none());
  }

  public QueueCounts withPending(int count) {
    return new QueueCounts(count, reserving, admitted, reservation, usage);
  }

  /** With one more Workload that holds quota. */
  public QueueCounts plus(Amounts<FlavorResource> quota, boolean isAdmitted) {
    return new QueueCounts(
        pending,
        reserving + 1,
        admitted + (isAdmitted ? 1 : 0),
        reservation.plus(quota),
        isAdmitted ? usage.plus(quota) : usage);
  }

  /** With one Workload less that holds quota. */
  public QueueCounts minus(Amounts<FlavorResource> quota, boolean isAdmitted) {
    return new QueueCounts(
        pending,
        reserving - 1,
        admitted - (isAdmitted ? 1 : 0),
        reservation.minus(quota),
        isAdmitted ? usage.minus(quota) : usage);
  }
}
