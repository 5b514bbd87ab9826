// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.state.Outbox;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.WriteOutcomes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The preemption of a Workload that the scheduler has ordered and that isn't written yet, if any.
 */
final class PendingPreemption {
  private final ObjectKey victim;
  private final Outbox outbox;
  private final WriteOutcomes state;
  private final @Nullable PreemptionOrder order;

  PendingPreemption(ObjectKey victim, Outbox outbox, WriteOutcomes state) {
    this.victim = victim;
    this.outbox = outbox;
    this.state = state;
    this.order = outbox.preemption(victim);
  }

  /** What was ordered; null if nothing was. */
  @Nullable PreemptionOrder order() {
    return order;
  }

  /** The preemption was written. */
  void written() {
    if (order != null) {
      outbox.settle(victim, order);
    }
  }

  /**
   * There is nothing to preempt: the Workload gives its quota back anyway, or has none any more. If
   * the State still counts on it, the preemptor is tried again after the pause.
   */
  void giveUp(Duration pause) {
    if (order != null) {
      PreemptionOrder ended = order;
      outbox.settle(victim, ended);
      state.preemptionFailed(ended, pause);
    }
  }
}
