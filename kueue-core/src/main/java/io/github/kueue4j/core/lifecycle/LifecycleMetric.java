// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import java.time.Duration;
import org.apiguardian.api.API;

/** A metric to record once the patch it belongs to has succeeded. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface LifecycleMetric {

  /**
   * Quota was reserved.
   *
   * @param clusterQueue that gives the quota
   */
  record QuotaReserved(String clusterQueue) implements LifecycleMetric {}

  /**
   * The Workload was admitted.
   *
   * @param clusterQueue that gives the quota
   * @param sinceReservation time from the reservation to the admission; zero without checks
   */
  record Admitted(String clusterQueue, Duration sinceReservation) implements LifecycleMetric {}

  /**
   * A reserved Workload was evicted.
   *
   * @param clusterQueue that gives the quota
   * @param reason of the Evicted condition, without the cause
   * @param underlyingCause may be empty
   * @param first whether this is the Workload's first eviction for this reason and cause
   */
  record Evicted(String clusterQueue, String reason, String underlyingCause, boolean first)
      implements LifecycleMetric {}

  /**
   * Quota was given back after an eviction.
   *
   * @param clusterQueue that gives the quota
   * @param reason of the Evicted condition
   * @param sinceEviction time from the eviction to the release; zero if one patch did both
   */
  record QuotaReleased(String clusterQueue, String reason, Duration sinceEviction)
      implements LifecycleMetric {}

  /**
   * All pods are ready for the first time since the admission.
   *
   * @param clusterQueue that gives the quota
   * @param sinceAdmission time from the admission until all pods were ready
   */
  record PodsReady(String clusterQueue, Duration sinceAdmission) implements LifecycleMetric {}

  /**
   * A Workload was evicted whose pods were all ready.
   *
   * @param clusterQueue that gives the quota
   * @param reason of the Evicted condition, without the cause
   * @param underlyingCause may be empty
   * @param sinceReady how long they had been ready
   */
  record EvictedWhileReady(
      String clusterQueue, String reason, String underlyingCause, Duration sinceReady)
      implements LifecycleMetric {}

  /**
   * A Retry was counted: its entry went back to Pending.
   *
   * @param check the check
   * @param attempt the retryCount before this Retry, so 0 for the first
   */
  record Retried(String check, int attempt) implements LifecycleMetric {}

  /**
   * A backoff ended.
   *
   * @param lateness time from the deadline to the requeue; zero without a deadline
   */
  record Requeued(Duration lateness) implements LifecycleMetric {}

  /**
   * A check stayed Pending beyond its timeout.
   *
   * @param check the check
   */
  record CheckTimedOut(String check) implements LifecycleMetric {}

  /**
   * A check rejected the Workload.
   *
   * @param check the check
   */
  record CheckRejected(String check) implements LifecycleMetric {}
}
