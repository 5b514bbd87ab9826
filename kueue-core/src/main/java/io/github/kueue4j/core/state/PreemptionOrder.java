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
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.cache.Uids;
import io.github.kueue4j.core.lifecycle.Preemption;
import io.github.kueue4j.core.preemption.Candidate;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * What the scheduler wants of a Workload that holds quota: to give way.
 *
 * @param victim as it was when that was decided
 * @param preemptor for whom
 * @param clusterQueue of the preemptor
 * @param preemption what is written into the victim
 * @param preemptorNote for the event on the preemptor
 */
@API(status = API.Status.INTERNAL)
public record PreemptionOrder(
    Candidate victim,
    ObjectKey preemptor,
    String clusterQueue,
    Preemption preemption,
    String preemptorNote) {

  /**
   * Whether a version of the Workload still has the reservation that is needed. One that was
   * released meanwhile and has got quota again is another case, to be decided anew.
   */
  public boolean concerns(Workload workload) {
    return victim.uid().equals(Uids.of(workload))
        && (victim.reservedSince().equals(Instant.MAX)
            || Conditions.find(workload.status().conditions(), WorkloadConditions.QUOTA_RESERVED)
                .filter(reserved -> reserved.isTrue())
                .filter(reserved -> victim.reservedSince().equals(reserved.lastTransitionTime()))
                .isPresent());
  }
}
