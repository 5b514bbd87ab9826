// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.jobs.JobKinds;
import java.util.HashSet;
import java.util.Set;

/**
 * Admits one Workload after the other (KEP-1282, {@code blockAdmission}): closed while a Workload
 * holds quota whose pods aren't all ready. A Workload that is about to release its quota doesn't
 * close the gate. Neither does a Workload without the condition PodsReady whose owner is of no kind
 * that this core observes: no controller would ever open the gate again. Belongs to the State's
 * thread.
 */
final class StartGate {
  /** Why Workloads wait while the gate is closed. */
  static final PendingReason PENDING_REASON =
      new PendingReason(
          "WaitingForPodsReady", "waiting for all admitted workloads to be in PodsReady condition");

  private final boolean enabled;
  private final JobKinds kinds;
  private final Set<ObjectKey> starting = new HashSet<>();

  StartGate(boolean enabled, JobKinds kinds) {
    this.enabled = enabled;
    this.kinds = kinds;
  }

  /** Whether it ever closes. */
  boolean enabled() {
    return enabled;
  }

  /** Whether no Workload may get quota now. */
  boolean closed() {
    return !starting.isEmpty();
  }

  /** The entry of a Workload may have changed. */
  void update(WorkloadEntry entry) {
    if (!enabled) {
      return;
    }
    Workload workload = entry.latest;
    if (entry.holding != null && workload != null && starting(workload)) {
      starting.add(entry.key);
    } else {
      starting.remove(entry.key);
    }
  }

  private boolean starting(Workload workload) {
    boolean known = workload.conditions().find(WorkloadConditions.PODS_READY).isPresent();
    boolean observed = Metadata.owners(workload).stream().anyMatch(kinds::includes);
    return (known || observed)
        && !workload.conditions().isTrue(WorkloadConditions.PODS_READY)
        && !WorkloadEntry.leaving(workload);
  }
}
