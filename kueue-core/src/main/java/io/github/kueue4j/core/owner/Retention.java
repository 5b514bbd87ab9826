// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.owner;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.config.ObjectRetention;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** How long finished Workloads, and the Jobs of deactivated ones, are kept. */
final class Retention {
  /** Prefix of the reasons of a deactivation by a limit or a check; one by a user has none. */
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
                workload
                    .conditions()
                    .findTrue(WorkloadConditions.FINISHED)
                    .map(finished -> finished.lastTransitionTime().plus(kept)));
  }

  /** When the Job of a deactivated Workload may be deleted; empty if never. */
  Optional<Instant> deactivatedUntil(Workload workload) {
    // Evicted keeps the reason of an older deactivation; Requeued has that of the current one.
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
    return workload.conditions().find(type).stream()
        .filter(condition -> condition.reason().startsWith(DEACTIVATED_BY_KUEUE));
  }
}
