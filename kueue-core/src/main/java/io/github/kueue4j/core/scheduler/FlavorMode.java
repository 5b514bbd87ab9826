// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scheduler;

/** How a flavor can satisfy a request; the later constant is the better one. */
enum FlavorMode {
  /** Not at all now, whichever Workloads are preempted. */
  NO_FIT,
  /** By preemption, but no Workload may be preempted for it. */
  NO_CANDIDATES,
  /** By preemption, possibly within the same ClusterQueue. */
  PREEMPT,
  /** By preemption of Workloads of other ClusterQueues, which borrowed the quota. */
  RECLAIM,
  /** From free quota. */
  FIT;

  /** Whether it leads to quota, now or after a preemption. */
  boolean viable() {
    return compareTo(NO_CANDIDATES) > 0;
  }

  boolean preempts() {
    return this == PREEMPT || this == RECLAIM;
  }

  FlavorMode worse(FlavorMode other) {
    return compareTo(other) <= 0 ? this : other;
  }

  static FlavorMode of(PreemptionOracle.Possibility possibility) {
    return switch (possibility) {
      case NO_CANDIDATES -> NO_CANDIDATES;
      case PREEMPT -> PREEMPT;
      case RECLAIM -> RECLAIM;
    };
  }
}
