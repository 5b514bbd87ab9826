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

import java.time.Duration;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Something to count or measure once the patch it belongs to has succeeded. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Fact {

  /**
   * Quota was reserved.
   *
   * @param clusterQueue whose quota
   */
  record QuotaReserved(String clusterQueue) implements Fact {}

  /**
   * The Workload was admitted.
   *
   * @param clusterQueue whose quota
   * @param sinceReservation how long the checks took; zero without checks
   */
  record Admitted(String clusterQueue, Duration sinceReservation) implements Fact {}

  /**
   * A reserved Workload was evicted.
   *
   * @param clusterQueue whose quota
   * @param reason of the Evicted condition, without the cause
   * @param underlyingCause may be empty
   * @param first whether this is the Workload's first eviction for this reason and cause
   */
  record Evicted(String clusterQueue, String reason, String underlyingCause, boolean first)
      implements Fact {}

  /**
   * Quota was given back after an eviction.
   *
   * @param clusterQueue whose quota
   * @param reason of the Evicted condition
   * @param sinceEviction how long it took; zero if it happened in the same patch
   */
  record QuotaReleased(String clusterQueue, String reason, Duration sinceEviction)
      implements Fact {}

  /**
   * All pods are ready for the first time since the admission.
   *
   * @param clusterQueue whose quota
   * @param sinceAdmission how long it took
   */
  record PodsReady(String clusterQueue, Duration sinceAdmission) implements Fact {}

  /**
   * A Workload was evicted whose pods were all ready.
   *
   * @param clusterQueue whose quota
   * @param reason of the Evicted condition, without the cause
   * @param underlyingCause may be empty
   * @param sinceReady how long they had been
   */
  record EvictedWhileReady(
      String clusterQueue, String reason, String underlyingCause, Duration sinceReady)
      implements Fact {}

  /**
   * A Retry was counted: its entry went back to Pending.
   *
   * @param check the check
   * @param attempt the retryCount before, so 0 at the first
   * @param delay what held the requeue back; null without a delay
   */
  record Retried(String check, int attempt, @Nullable Duration delay) implements Fact {}

  /**
   * A backoff ended.
   *
   * @param lateness how long after its deadline; zero without one
   */
  record Requeued(Duration lateness) implements Fact {}

  /**
   * A check stayed Pending beyond its timeout.
   *
   * @param check the check
   */
  record CheckTimedOut(String check) implements Fact {}

  /**
   * A check rejected the Workload.
   *
   * @param check the check
   */
  record CheckRejected(String check) implements Fact {}
}
