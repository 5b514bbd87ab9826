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
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.apiguardian.api.API;

/** The instants that decide who goes first. */
@API(status = API.Status.INTERNAL)
public final class QueueOrder {
  private QueueOrder() {}

  /**
   * Since when a Workload counts as waiting: since its eviction if checks or pods that didn't get
   * ready caused that, so that it goes behind those that waited meanwhile; else since its creation.
   *
   * @param keepsPlace whether one whose pods didn't get ready takes its old place (KEP-1282,
   *     timestamp Creation)
   */
  public static Instant queuedSince(Workload workload, boolean keepsPlace) {
    return Conditions.find(workload.status().conditions(), WorkloadConditions.EVICTED)
        .filter(Condition::isTrue)
        .filter(
            evicted ->
                evicted.reason().equals("AdmissionCheck")
                    || (!keepsPlace && evicted.reason().equals("PodsReadyTimeout")))
        .map(Condition::lastTransitionTime)
        .orElseGet(() -> createdAt(workload));
  }

  /** Since when the waiting time is measured: since the last requeue, else since the creation. */
  public static Instant waitingSince(Workload workload) {
    return Conditions.find(workload.status().conditions(), WorkloadConditions.REQUEUED)
        .map(Condition::lastTransitionTime)
        .orElseGet(() -> createdAt(workload));
  }

  /** When it was created; the epoch if it wasn't yet. */
  public static Instant createdAt(Workload workload) {
    return Optional.ofNullable(workload.metadata().getCreationTimestamp())
        .map(OffsetDateTime::toInstant)
        .orElse(Instant.EPOCH);
  }
}
