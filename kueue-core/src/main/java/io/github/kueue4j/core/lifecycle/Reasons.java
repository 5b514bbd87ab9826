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

/** Condition reasons that the lifecycle writes or reads. */
final class Reasons {
  static final String ADMISSION_CHECK = "AdmissionCheck";
  static final String PODS_READY_TIMEOUT = "PodsReadyTimeout";
  static final String PREEMPTED = "Preempted";
  static final String CLUSTER_QUEUE_STOPPED = "ClusterQueueStopped";
  static final String LOCAL_QUEUE_STOPPED = "LocalQueueStopped";

  /** A user's own deactivation; also the prefix of every other one. */
  static final String DEACTIVATED = "Deactivated";

  static final String DEACTIVATED_DUE_TO = "DeactivatedDueTo";
  static final String DEACTIVATED_DUE_TO_ADMISSION_CHECK = DEACTIVATED_DUE_TO + ADMISSION_CHECK;

  /** kueue4j's own: an admitted Workload without an assignment can't run. */
  static final String ASSIGNMENT_LOST = "AssignmentLost";

  static final String BACKOFF_FINISHED = "BackoffFinished";
  static final String REACTIVATED = "Reactivated";
  static final String CLUSTER_QUEUE_RESTARTED = "ClusterQueueRestarted";
  static final String LOCAL_QUEUE_RESTARTED = "LocalQueueRestarted";

  static final String QUOTA_RESERVED = "QuotaReserved";
  static final String PENDING_EVALUATION = "PendingEvaluation";
  static final String ADMISSION_GATED = "AdmissionGated";
  static final String SUSPENDED = "Suspended";
  static final String MISCONFIGURED = "Misconfigured";

  static final String ADMITTED = "Admitted";
  static final String NO_RESERVATION = "NoReservation";
  static final String UNSATISFIED_ADMISSION_CHECKS = "UnsatisfiedAdmissionChecks";

  static final String WAIT_FOR_START = "WaitForStart";
  static final String WAIT_FOR_RECOVERY = "WaitForRecovery";
  static final String STARTED = "Started";
  static final String RECOVERED = "Recovered";

  static final String REQUEUING_LIMIT_EXCEEDED = "RequeuingLimitExceeded";
  static final String MAXIMUM_EXECUTION_TIME_EXCEEDED = "MaximumExecutionTimeExceeded";

  private Reasons() {}
}
