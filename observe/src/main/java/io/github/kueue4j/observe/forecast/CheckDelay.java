// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.queue.CheckStrategy;
import io.github.kueue4j.observe.dryrun.ReadObjects;
import io.github.kueue4j.observe.explain.DelayedBy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * That checks keep a Workload from its queue by a Retry. When it gets quota isn't known then: they
 * are asked again with the quota, and may refuse again, or end their delay earlier.
 *
 * @param checks in Retry; empty if their entries don't say so any more
 * @param until when the last delay ends; empty if no end is known
 */
record CheckDelay(List<String> checks, Optional<Instant> until) {
  /**
   * The delay of a Workload without quota; empty if no check delays it.
   *
   * @param queue of the Workload
   */
  static Optional<CheckDelay> of(Workload waiting, ClusterQueue queue, ReadObjects objects) {
    Set<String> required =
        CheckStrategy.ofAnyFlavor(queue.spec()).stream()
            .filter(
                name ->
                    objects
                        .find(KueueTypes.ADMISSION_CHECK, ObjectKey.cluster(name))
                        .filter(CheckMode::observes)
                        .isEmpty())
            .collect(Collectors.toSet());
    List<String> checks =
        waiting.status().admissionChecks().stream()
            .filter(entry -> entry.is(CheckState.RETRY) && required.contains(entry.name()))
            .map(AdmissionCheckState::name)
            .toList();
    return checks.isEmpty() && !waiting.conditions().heldForChecks()
        ? Optional.empty()
        : Optional.of(
            new CheckDelay(
                checks,
                DelayedBy.of(waiting).stream()
                    .map(DelayedBy::until)
                    .max(Comparator.naturalOrder())));
  }

  /** What is said of it, as sentences. */
  String words() {
    String who =
        switch (checks.size()) {
          case 0 -> "A check delays it";
          case 1 -> "Its check " + checks.getFirst() + " delays it";
          default -> "Its checks " + String.join(", ", checks) + " delay it";
        };
    return who
        + until.map(end -> " until " + end + " at the latest").orElse("")
        + (checks.size() > 1
            ? ". They may end that early, or refuse again when they are asked then."
            : ". It may end that early, or refuse again when it is asked then.");
  }
}
