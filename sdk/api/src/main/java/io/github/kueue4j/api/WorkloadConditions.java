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
package io.github.kueue4j.api;

import org.apiguardian.api.API;

/** The types of the conditions of a Workload. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class WorkloadConditions {

  /** Quota is reserved; the admission checks run. */
  public static final String QUOTA_RESERVED = "QuotaReserved";

  /** Quota is reserved and all checks are passed: the job may run. */
  public static final String ADMITTED = "Admitted";

  /** The admission was taken back; stays True until the next reservation. */
  public static final String EVICTED = "Evicted";

  /** The eviction made room for another workload. */
  public static final String PREEMPTED = "Preempted";

  /** False keeps the workload out of the queue. */
  public static final String REQUEUED = "Requeued";

  /** All pods are ready or have succeeded. */
  public static final String PODS_READY = "PodsReady";

  /** A limit is about to deactivate the workload. */
  public static final String DEACTIVATION_TARGET = "DeactivationTarget";

  /** The job is over; nothing happens to the workload any more. */
  public static final String FINISHED = "Finished";

  private WorkloadConditions() {}
}
