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
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.ObjectRetention;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** How long Workloads that have nothing to wait for, and their Jobs, are kept. */
final class Retention {
  /** Reasons of a deactivation by a limit or a check start so; one by a user is the bare word. */
  private static final String DEACTIVATED_BY_KUEUE = "DeactivatedDueTo";

  private final ObjectRetention policy;

  Retention(ObjectRetention policy) {
    this.policy = policy;
  }

  /** When a finished Workload may be deleted; empty if never. */
  Optional<Instant> finishedUntil(Workload workload) {
    return policy
        .afterFinished()
        .flatMap(
            kept ->
                Conditions.find(workload.status().conditions(), WorkloadConditions.FINISHED)
                    .filter(Condition::isTrue)
                    .map(finished -> finished.lastTransitionTime().plus(kept)));
  }

  /** When the Job of a deactivated Workload may be deleted; empty if never. */
  Optional<Instant> deactivatedUntil(Workload workload) {
    // Evicted remembers an older deactivation; Requeued says which one holds.
    if (workload.spec().active()
        || byKueue(workload, WorkloadConditions.REQUEUED).findAny().isEmpty()) {
      return Optional.empty();
    }
    return policy
        .afterDeactivatedByKueue()
        .flatMap(
            kept ->
                Stream.of(WorkloadConditions.EVICTED, WorkloadConditions.REQUEUED)
                    .flatMap(type -> byKueue(workload, type))
                    .map(Condition::lastTransitionTime)
                    .max(Instant::compareTo)
                    .map(since -> since.plus(kept)));
  }

  private static Stream<Condition> byKueue(Workload workload, String type) {
    return Conditions.find(workload.status().conditions(), type).stream()
        .filter(condition -> condition.reason().startsWith(DEACTIVATED_BY_KUEUE));
  }
}
