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
package io.github.kueue4j.core.status;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import org.apiguardian.api.API;

/**
 * What a queue holds.
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
  /** Nothing at all. */
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
