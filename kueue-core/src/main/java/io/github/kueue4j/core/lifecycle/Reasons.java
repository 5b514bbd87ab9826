// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import io.github.kueue4j.api.WorkloadConditions;

/**
 * Condition reasons that the lifecycle writes or reads. The reasons of evictions are {@code
 * EvictionReasons}, but for {@link #ASSIGNMENT_LOST}, which only this package knows.
 */
final class Reasons {
  /**
   * The reason of an eviction, an extension of kueue4j: an admitted Workload without an assignment
   * can't run.
   */
  static final String ASSIGNMENT_LOST = "AssignmentLost";

  static final String BACKOFF_FINISHED = "BackoffFinished";
  static final String REACTIVATED = "Reactivated";
  static final String CLUSTER_QUEUE_RESTARTED = "ClusterQueueRestarted";
  static final String LOCAL_QUEUE_RESTARTED = "LocalQueueRestarted";

  static final String QUOTA_RESERVED = "QuotaReserved";
  static final String PENDING_EVALUATION = "PendingEvaluation";
  static final String ADMISSION_GATED = "AdmissionGated";
  static final String SUSPENDED = "Suspended";
  static final String MISCONFIGURED = WorkloadConditions.MISCONFIGURED;

  static final String ADMITTED = "Admitted";
  static final String NO_RESERVATION = "NoReservation";
  static final String UNSATISFIED_ADMISSION_CHECKS = "UnsatisfiedAdmissionChecks";

  static final String WAIT_FOR_START = "WaitForStart";
  static final String WAIT_FOR_RECOVERY = "WaitForRecovery";
  static final String STARTED = "Started";
  static final String RECOVERED = "Recovered";

  static final String REQUEUING_LIMIT_EXCEEDED = "RequeuingLimitExceeded";
  static final String RETRY_LIMIT_EXCEEDED = "AdmissionCheckRetryLimitExceeded";
  static final String MAXIMUM_EXECUTION_TIME_EXCEEDED = "MaximumExecutionTimeExceeded";

  private Reasons() {}
}
