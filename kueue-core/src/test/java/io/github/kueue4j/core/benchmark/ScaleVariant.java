// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;

/** By which policies the queues of a large cluster share their quota. */
enum ScaleVariant {
  /** Free quota goes by borrow level, priority and age. */
  PLAIN,
  /** Besides, higher priorities preempt lower ones, in their queue and where quota is lent. */
  PREEMPTION,
  /** Shares decide, in the order and about preemption. */
  FAIR_SHARING;

  /** For tables and charts. */
  String label() {
    return switch (this) {
      case PLAIN -> "no preemption";
      case PREEMPTION -> "preemption";
      case FAIR_SHARING -> "fair sharing";
    };
  }

  String policies() {
    return this == PLAIN
        ? ""
        : "preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: LowerPriority}";
  }

  PreemptionSettings preemption() {
    return this == FAIR_SHARING
        ? PreemptionSettings.fairSharing(
            FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
            FairSharingStrategy.LESS_THAN_INITIAL_SHARE)
        : PreemptionSettings.classical();
  }
}
