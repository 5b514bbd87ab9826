// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;

/** How much quota there is, and what may be done for those that wait for it. */
public enum Situation {
  /** There is enough quota for every head. */
  FREE,
  /** There is no free quota, and no Workload may be preempted. */
  FULL,
  /** There is no free quota, and Workloads of lower priority in the same queue are preempted. */
  WITHIN_CLUSTER_QUEUE,
  /** Every other queue has lent out half of its quota and takes it back. */
  RECLAIM,
  /** The same by shares. */
  FAIR_SHARING;

  /** The cores of a queue of which 1,000 are in use. */
  int nominal(int queue) {
    return switch (this) {
      case FREE -> 1_100;
      case FULL, WITHIN_CLUSTER_QUEUE -> 1_000;
      case RECLAIM, FAIR_SHARING -> queue % 2 == 0 ? 2_000 : 0;
    };
  }

  /** The queues' policy, as the inside of a YAML flow mapping. */
  String preemption() {
    return switch (this) {
      case FREE, FULL -> "";
      case WITHIN_CLUSTER_QUEUE -> "withinClusterQueue: LowerPriority";
      case RECLAIM, FAIR_SHARING -> "withinClusterQueue: LowerPriority, reclaimWithinCohort: Any";
    };
  }

  PreemptionSettings settings() {
    return this == FAIR_SHARING
        ? PreemptionSettings.fairSharing(
            FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
            FairSharingStrategy.LESS_THAN_INITIAL_SHARE)
        : PreemptionSettings.classical();
  }
}
