// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import org.apiguardian.api.API;

/** Why a flavor can't be assigned, the least severe first: the one that waiting may resolve. */
@API(status = API.Status.INTERNAL)
public enum NoFitReason {
  /** Other Workloads use the quota at the moment. */
  WAITING_FOR_QUOTA("WaitingForQuota"),
  /** The request exceeds the quota that could ever be available. */
  EXCEEDS_MAX_QUOTA("ExceedsMaxQuota"),
  /** No flavor matches the pods. */
  NO_MATCHING_FLAVOR("NoMatchingFlavor");

  private final String conditionReason;

  NoFitReason(String conditionReason) {
    this.conditionReason = conditionReason;
  }

  /** The reason of the QuotaReserved=False condition. */
  public String conditionReason() {
    return conditionReason;
  }

  /** Whether a Workload that was refused for this reason can never fit, as the queues are. */
  public static boolean isForGood(String conditionReason) {
    return conditionReason.equals(EXCEEDS_MAX_QUOTA.conditionReason)
        || conditionReason.equals(NO_MATCHING_FLAVOR.conditionReason);
  }

  NoFitReason lessSevere(NoFitReason other) {
    return compareTo(other) <= 0 ? this : other;
  }

  NoFitReason moreSevere(NoFitReason other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
