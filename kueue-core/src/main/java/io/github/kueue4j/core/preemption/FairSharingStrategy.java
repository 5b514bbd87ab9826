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

import io.github.kueue4j.core.quota.DominantShare;
import org.apiguardian.api.API;

/** When the preemptor's share is small enough to take from another's (KEP-1714). */
@API(status = API.Status.INTERNAL)
public enum FairSharingStrategy {
  /** It would have no more than the other keeps. */
  LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare") {
    @Override
    boolean permits(DominantShare preemptor, DominantShare before, DominantShare after) {
      return preemptor.compareTo(after) <= 0;
    }
  },
  /** It would have less than the other has now. */
  LESS_THAN_INITIAL_SHARE("LessThanInitialShare") {
    @Override
    boolean permits(DominantShare preemptor, DominantShare before, DominantShare after) {
      return preemptor.compareTo(before) < 0;
    }
  };

  private final String word;

  FairSharingStrategy(String word) {
    this.word = word;
  }

  /** The word of the configuration. */
  public String word() {
    return word;
  }

  /**
   * Whether a target may be preempted.
   *
   * @param preemptor the preempting side's share with the incoming Workload
   * @param before the target side's share as it is
   * @param after the same without the target
   */
  abstract boolean permits(DominantShare preemptor, DominantShare before, DominantShare after);
}
