// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.ResourceFlavor;
import io.github.kueue4j.core.preemption.PreemptionCandidates;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.List;
import java.util.Map;

/** Snapshots without claims, under the default feature gates. */
public final class Snapshots {
  private Snapshots() {}

  /** A snapshot in which the rivals can be preempted. */
  public static Snapshot of(
      Map<String, Snapshot.Queue> queues,
      QuotaTree quota,
      Map<String, ResourceFlavor> flavors,
      Map<String, Map<String, String>> namespaces,
      PreemptionCandidates preemptionCandidates) {
    return new Snapshot(
        queues,
        quota,
        flavors,
        namespaces,
        preemptionCandidates,
        List.of(),
        SchedulingGates.defaults());
  }
}
