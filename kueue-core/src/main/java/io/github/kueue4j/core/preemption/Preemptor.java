// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.preemption;

import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A Workload that doesn't fit unless others are preempted.
 *
 * @param clusterQueue in which it waits
 * @param queuedSince the time that orders Workloads of equal priority
 * @param usage the quota that its assignment takes
 * @param contested the flavors and resources that don't fit: only candidates that hold some of them
 *     are of use
 */
@API(status = API.Status.INTERNAL)
public record Preemptor(
    String clusterQueue,
    int priority,
    Instant queuedSince,
    Amounts<FlavorResource> usage,
    Set<FlavorResource> contested) {
  public Preemptor {
    Objects.requireNonNull(clusterQueue, "clusterQueue");
    Objects.requireNonNull(queuedSince, "queuedSince");
    Objects.requireNonNull(usage, "usage");
    contested = Set.copyOf(contested);
  }

  /** Whether a candidate holds any contested quota. */
  boolean isHelpedBy(Candidate candidate) {
    for (FlavorResource key : contested) {
      if (candidate.usage().get(key) > 0) {
        return true;
      }
    }
    return false;
  }
}
