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
package io.github.kueue4j.core.benchmark;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;

/** How much quota there is, and what may be done for those that wait for it. */
public enum Situation {
  /** There is enough for every head. */
  FREE,
  /** There is none, and nobody has to give way. */
  FULL,
  /** There is none, and the lower priorities of the same queue give way. */
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
