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
package io.github.kueue4j.api;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The share of a queue or cohort.
 *
 * @param weightedShare the largest ratio of borrowed to lendable quota, in thousandths, divided by
 *     the weight; 9223372036854775807 for weight 0 that borrows
 * @param admissionFairSharingStatus past usage (KEP-4136); on ClusterQueue and Cohort a kueue4j
 *     extension
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FairSharingStatus(
    @Required long weightedShare, @Nullable AdmissionFairSharingStatus admissionFairSharingStatus) {
  /** A copy with another {@code weightedShare}. */
  public FairSharingStatus withWeightedShare(long weightedShare) {
    return new FairSharingStatus(weightedShare, admissionFairSharingStatus);
  }

  /** A copy with another {@code admissionFairSharingStatus}. */
  public FairSharingStatus withAdmissionFairSharingStatus(
      @Nullable AdmissionFairSharingStatus admissionFairSharingStatus) {
    return new FairSharingStatus(weightedShare, admissionFairSharingStatus);
  }
}
