// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.queue.SchedulingEquivalence;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reasons that hold for the Workloads of one ClusterQueue that weren't tried themselves.
 * Belongs to the State's thread.
 */
final class QueueReasons {
  /** For Workloads of a shape that was refused. */
  final Map<SchedulingEquivalence, PendingReason> byShape = new HashMap<>();

  /** For all Workloads, while something blocks the queue; null if nothing does. */
  @Nullable PendingReason blocked;

  /** For Workloads that wait for their admission scope; null if nothing holds that up. */
  @Nullable PendingReason behindInScope;

  /** Blocks the queue. The reasons of the shapes are over, and are notified again later. */
  void block(PendingReason reason) {
    blocked = reason;
    byShape.clear();
  }

  /** The reason for a Workload that begins to wait; null if there is none. */
  @Nullable PendingReason of(QueuedWorkload workload) {
    PendingReason reason = blocked == null ? byShape.get(workload.equivalence()) : blocked;
    return reason == null ? behindInScope : reason;
  }
}
