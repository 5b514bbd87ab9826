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
package io.github.kueue4j.core.preemption;

import org.apiguardian.api.API;

/** Why a Workload may be preempted. */
@API(status = API.Status.INTERNAL)
public enum PreemptionReason {
  /** Another Workload of the same ClusterQueue goes first. */
  IN_CLUSTER_QUEUE("InClusterQueue", "prioritization in the ClusterQueue"),
  /** Another queue of the cohort takes back what is its own. */
  IN_COHORT_RECLAMATION("InCohortReclamation", "reclamation within the cohort"),
  /** Another queue of the cohort gets its fair share. */
  IN_COHORT_FAIR_SHARING("InCohortFairSharing", "Fair Sharing within the cohort"),
  /** Another queue of the cohort borrows for a Workload of a higher priority. */
  IN_COHORT_RECLAIM_WHILE_BORROWING(
      "InCohortReclaimWhileBorrowing", "reclamation within the cohort while borrowing");

  private final String conditionReason;
  private final String words;

  PreemptionReason(String conditionReason, String words) {
    this.conditionReason = conditionReason;
    this.words = words;
  }

  /** The reason of the Preempted condition. */
  public String conditionReason() {
    return conditionReason;
  }

  /** The same in words, to follow "due to". */
  public String words() {
    return words;
  }
}
