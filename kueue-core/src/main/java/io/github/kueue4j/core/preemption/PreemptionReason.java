// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import org.apiguardian.api.API;

/** Why a Workload may be preempted. */
@API(status = API.Status.INTERNAL)
public enum PreemptionReason {
  /** For a Workload of the same ClusterQueue. */
  IN_CLUSTER_QUEUE("InClusterQueue", "prioritization in the ClusterQueue"),
  /** For another queue of the cohort, which reclaims its own quota. */
  IN_COHORT_RECLAMATION("InCohortReclamation", "reclamation within the cohort"),
  /** For another queue of the cohort, which gets its fair share. */
  IN_COHORT_FAIR_SHARING("InCohortFairSharing", "Fair Sharing within the cohort"),
  /** For another queue of the cohort, which borrows for a Workload of a higher priority. */
  IN_COHORT_RECLAIM_WHILE_BORROWING(
      "InCohortReclaimWhileBorrowing", "reclamation within the cohort while borrowing");

  private final String conditionReason;
  private final String phrase;

  PreemptionReason(String conditionReason, String words) {
    this.conditionReason = conditionReason;
    this.phrase = words;
  }

  /** The reason of the Preempted condition. */
  public String conditionReason() {
    return conditionReason;
  }

  /** The phrase for messages, to follow "due to". */
  public String phrase() {
    return phrase;
  }
}
