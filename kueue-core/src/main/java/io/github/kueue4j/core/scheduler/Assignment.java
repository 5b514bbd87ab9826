// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.api.PodSetAssignment;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/** The outcome of assigning flavors to the pod sets of a Workload. */
@API(status = API.Status.INTERNAL)
public sealed interface Assignment {
  /** Where the search continues if this assignment turns out to be of no use. */
  FlavorProgress progress();

  /**
   * An assignment that fits the free quota.
   *
   * @param podSets the flavors of each pod set, in their order
   * @param usage the total quota that it takes
   * @param borrowLevel height of the lowest subtree of the quota tree that covers it; 0 if nothing
   *     is borrowed
   */
  record Fits(
      List<PodSetAssignment> podSets,
      Amounts<FlavorResource> usage,
      int borrowLevel,
      FlavorProgress progress)
      implements Assignment {
    public Fits {
      podSets = List.copyOf(podSets);
    }
  }

  /**
   * An assignment that fits if other Workloads are preempted: for each amount that doesn't fit,
   * taken alone, preemption finds targets.
   *
   * @param podSets the flavors of each pod set, in their order
   * @param usage the total quota that it takes
   * @param contested the flavors and resources that don't fit now
   * @param reclaims whether only Workloads of other ClusterQueues need to be preempted
   * @param borrowLevel as of {@link Fits}, after the preemption
   * @param message names every flavor that was considered and the quota that it lacks
   */
  record Preempts(
      List<PodSetAssignment> podSets,
      Amounts<FlavorResource> usage,
      Set<FlavorResource> contested,
      boolean reclaims,
      int borrowLevel,
      String message,
      FlavorProgress progress)
      implements Assignment {
    public Preempts {
      podSets = List.copyOf(podSets);
      contested = Set.copyOf(contested);
    }
  }

  /**
   * No assignment: at least one pod set gets no flavor.
   *
   * @param reason the most severe reason among the pod sets
   * @param message names every flavor that was considered
   * @param awaitedQuota the quota that the Workload waits for, if every pod set would have a flavor
   *     without the other Workloads, but none of these may be preempted; otherwise none
   * @param borrowLevel as of {@link Fits}, for the wanted quota
   */
  record NoFit(
      NoFitReason reason,
      String message,
      Amounts<FlavorResource> awaitedQuota,
      int borrowLevel,
      FlavorProgress progress)
      implements Assignment {}
}
