// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.quota.AdmittedUsage;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import io.github.kueue4j.core.state.WorkloadEntry.Holding;
import io.github.kueue4j.core.usage.ExecutionInterval;
import io.github.kueue4j.core.usage.Reservation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The usage that one Workload adds to its queues, now and in the past (KEP-4136). */
final class WorkloadUsage {
  private WorkloadUsage() {}

  /** The quota that a Workload holds now; empty if it holds none. */
  static Optional<Reservation> reservation(WorkloadEntry entry) {
    Holding held = entry.holding;
    return held == null
        ? Optional.empty()
        : Optional.of(
            new Reservation(
                entry.latest == null ? "" : Uids.of(entry.latest),
                entry.assumed == null ? since(entry, WorkloadConditions.QUOTA_RESERVED) : null,
                held.localQueue(),
                held.clusterQueue(),
                byResource(held.usage()),
                held.admitted()));
  }

  /**
   * The run of a Workload so far, if it has been Admitted. It isn't recorded when its pods that are
   * reclaimable by now had stopped. Its entry penalty counts in full, as it did then. A finished
   * Workload counts as if all its pods had run until its end, which is an upper bound. A running
   * one counts as if only those pods had run that run now, which is a lower bound. Both are off by
   * what the other pods did since the last sample: one interval at most, plus the time for which no
   * core ran.
   */
  static List<ExecutionInterval> runs(WorkloadEntry entry, Holding held) {
    Instant admitted = since(entry, WorkloadConditions.ADMITTED);
    if (admitted == null || entry.latest == null) {
      return List.of();
    }
    Amounts<String> assigned = byResource(AdmittedUsage.assigned(entry.latest));
    Instant finished = since(entry, WorkloadConditions.FINISHED);
    if (finished != null) {
      return List.of(new ExecutionInterval(assigned, admitted, finished));
    }
    Amounts<String> running = byResource(held.usage());
    return List.of(
        new ExecutionInterval(running, admitted, null),
        new ExecutionInterval(assigned.minus(running), admitted, admitted));
  }

  /** The quota that a Workload holds, or held when it finished. */
  static Optional<Holding> heldOnce(WorkloadEntry entry) {
    Workload workload = entry.latest;
    return workload == null || workload.status().admission() == null
        ? Optional.empty()
        : Optional.of(entry.heldBy(workload.status().admission()));
  }

  private static @Nullable Instant since(WorkloadEntry entry, String condition) {
    return Optional.ofNullable(entry.latest)
        .flatMap(workload -> workload.conditions().find(condition))
        .filter(Condition::isTrue)
        .map(Condition::lastTransitionTime)
        .orElse(null);
  }

  private static Amounts<String> byResource(Amounts<FlavorResource> usage) {
    Map<String, Long> sums = new TreeMap<>();
    usage.asMap().forEach((key, amount) -> sums.merge(key.resource(), amount, Amounts::add));
    return Amounts.of(sums);
  }
}
