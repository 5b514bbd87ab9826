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
package io.github.kueue4j.sdk.fence;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Tells one reservation of a Workload from another.
 *
 * @param quotaReserved the value of the QuotaReserved condition
 * @param since the condition's last transition, whole seconds; the epoch if there is none
 * @param admission what is reserved; absent without a reservation
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Reservation(boolean quotaReserved, Instant since, @Nullable Admission admission) {

  /** The reservation that this object shows. */
  public static Reservation of(Workload workload) {
    return Conditions.find(workload.status().conditions(), WorkloadConditions.QUOTA_RESERVED)
        .map(condition -> of(condition, workload.status().admission()))
        .orElse(new Reservation(false, Instant.EPOCH, null));
  }

  private static Reservation of(Condition condition, @Nullable Admission admission) {
    return new Reservation(condition.isTrue(), condition.lastTransitionTime(), admission);
  }
}
