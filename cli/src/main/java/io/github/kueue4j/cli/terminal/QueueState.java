// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.StopPolicy;
import java.util.List;
import java.util.Optional;

/**
 * The state of a queue: whether it admits Workloads.
 *
 * @param word {@code Active}, {@code Stopped}, {@code Inactive}, or {@code Unknown} while no core
 *     has written the condition
 * @param why the stop policy, or the reason and message of the condition; empty for an active queue
 */
record QueueState(String word, String why) {
  private static final String ACTIVE = "Active";

  static QueueState of(ClusterQueue queue) {
    return of(queue.spec().stopPolicy(), queue.status().conditions());
  }

  static QueueState of(LocalQueue queue) {
    return of(queue.spec().stopPolicy(), queue.status().conditions());
  }

  /** Whether a core has written the status; without one its numbers are unknown, not zero. */
  static boolean written(ClusterQueue queue) {
    return Conditions.find(queue.status().conditions(), ACTIVE).isPresent();
  }

  private static QueueState of(StopPolicy stopPolicy, List<Condition> conditions) {
    if (!stopPolicy.equals(StopPolicy.NONE)) {
      return new QueueState("Stopped", "stopPolicy " + stopPolicy);
    }
    Optional<Condition> active = Conditions.find(conditions, ACTIVE);
    if (active.isEmpty()) {
      return new QueueState("Unknown", "no condition Active; is a core running?");
    }
    return active.get().isTrue()
        ? new QueueState(ACTIVE, "")
        : new QueueState("Inactive", active.get().reason() + ": " + active.get().message());
  }
}
