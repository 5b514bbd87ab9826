// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.status;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import org.apiguardian.api.API;

/**
 * The Workloads of a queue and the quota that they hold.
 *
 * @param pending Workloads that wait for quota, or for the end of a backoff
 * @param backoff how many of the pending are in backoff
 * @param reserving Workloads with a reservation, admitted ones included
 * @param admitted Workloads that are admitted
 * @param reservation quota of the reserving
 * @param usage quota of the admitted
 */
@API(status = API.Status.INTERNAL)
public record QueueCounts(
    int pending,
    int backoff,
    int reserving,
    int admitted,
    Amounts<FlavorResource> reservation,
    Amounts<FlavorResource> usage) {
  /** The counts of an empty queue. */
  public static QueueCounts none() {
    return new QueueCounts(0, 0, 0, 0, Amounts.none(), Amounts.none());
  }

  /** With so many Workloads that wait for quota, and so many others that are in backoff. */
  public QueueCounts withPending(int waiting, int delayed) {
    return new QueueCounts(waiting + delayed, delayed, reserving, admitted, reservation, usage);
  }

  /** With one more Workload that holds quota. */
  public QueueCounts plus(Amounts<FlavorResource> quota, boolean isAdmitted) {
    return new QueueCounts(
        pending,
        backoff,
        reserving + 1,
        admitted + (isAdmitted ? 1 : 0),
        reservation.plus(quota),
        isAdmitted ? usage.plus(quota) : usage);
  }

  /** With one Workload less that holds quota. */
  public QueueCounts minus(Amounts<FlavorResource> quota, boolean isAdmitted) {
    return new QueueCounts(
        pending,
        backoff,
        reserving - 1,
        admitted - (isAdmitted ? 1 : 0),
        reservation.minus(quota),
        isAdmitted ? usage.minus(quota) : usage);
  }
}
