// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.core.quota.DominantShare;
import org.apiguardian.api.API;

/** The condition under which shares permit a preemption (KEP-1714). */
@API(status = API.Status.INTERNAL)
public enum FairSharingStrategy {
  /** The preemptor's share would not exceed the target's share after the preemption. */
  LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare") {
    @Override
    boolean permits(DominantShare preemptor, DominantShare before, DominantShare after) {
      return preemptor.compareTo(after) <= 0;
    }
  },
  /** The preemptor's share would be less than the target's share before the preemption. */
  LESS_THAN_INITIAL_SHARE("LessThanInitialShare") {
    @Override
    boolean permits(DominantShare preemptor, DominantShare before, DominantShare after) {
      return preemptor.compareTo(before) < 0;
    }
  };

  private final String configName;

  FairSharingStrategy(String word) {
    this.configName = word;
  }

  /** The name in the configuration. */
  public String configName() {
    return configName;
  }

  /**
   * Whether a target may be preempted.
   *
   * @param preemptor share of the preemptor's side with the incoming Workload
   * @param before share of the target's side now
   * @param after share of the target's side without the target
   */
  abstract boolean permits(DominantShare preemptor, DominantShare before, DominantShare after);
}
