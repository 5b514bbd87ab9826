// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

import io.github.kueue4j.core.preemption.Preemptor;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.quota.FlavorResource;
import java.util.List;

/** The outcome for a head as if it were alone in the cycle. */
sealed interface Nomination {
  SchedulingCycle.Head head();

  /** The quota that it requests. */
  Amounts<FlavorResource> usage();

  /** The height of the lowest subtree that covers it; 0 for the quota of its own ClusterQueue. */
  int borrowLevel();

  /** It fits the free quota. */
  record FitsNow(SchedulingCycle.Head head, Decision.ReserveQuota decision, int borrowLevel)
      implements Nomination {
    @Override
    public Amounts<FlavorResource> usage() {
      return decision.usage();
    }
  }

  /**
   * It fits after a preemption.
   *
   * @param reservation made after the preemption, or at once if the preemption is deferred
   * @param deferred whether an AdmissionCheck defers the preemption (KEP-993)
   * @param targets the Workloads to preempt
   * @param shortage message about the missing quota
   */
  record NeedsPreemption(
      SchedulingCycle.Head head,
      Decision.ReserveQuota reservation,
      boolean deferred,
      Preemptor preemptor,
      List<Target> targets,
      String shortage,
      int borrowLevel)
      implements Nomination {
    @Override
    public Amounts<FlavorResource> usage() {
      return preemptor.usage();
    }
  }

  /**
   * It fits neither now nor by preemption.
   *
   * @param usage the quota that it waits for; none if waiting doesn't help
   * @param kept the quota that is kept for it meanwhile: other queues must not borrow quota that
   *     this one could not reclaim
   */
  record NotAssigned(
      SchedulingCycle.Head head,
      Decision.Inadmissible decision,
      Amounts<FlavorResource> usage,
      Amounts<FlavorResource> kept,
      int borrowLevel)
      implements Nomination {}
}
