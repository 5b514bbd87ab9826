// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.core.quota.FlavorResource;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Simulates for the flavor assignment whether preemption could make one amount fit. The targets
 * themselves are chosen later, for the whole assignment.
 */
@API(status = API.Status.INTERNAL)
@FunctionalInterface
public interface PreemptionOracle {
  /** Simulates preemption for this amount alone. */
  Simulation simulate(FlavorResource contested, long amount);

  /** The possibility of preemption; the later constant is the better one. */
  @API(status = API.Status.INTERNAL)
  enum Possibility {
    /** None, or not enough of them. */
    NO_CANDIDATES,
    /** Workloads of the same ClusterQueue, possibly also of others. */
    PREEMPT,
    /** Only Workloads of other ClusterQueues, which hold quota that this queue may reclaim. */
    RECLAIM
  }

  /**
   * The result of a simulation.
   *
   * @param possibility which Workloads could be preempted
   * @param borrowLevel height of the lowest subtree whose quota covers the amount afterwards; 0 is
   *     the ClusterQueue itself
   */
  @API(status = API.Status.INTERNAL)
  record Simulation(Possibility possibility, int borrowLevel) {
    public Simulation {
      Objects.requireNonNull(possibility, "possibility");
    }
  }

  /** An oracle for queues that never preempt. */
  static PreemptionOracle never() {
    return (contested, amount) -> new Simulation(Possibility.NO_CANDIDATES, 0);
  }
}
