// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.core.quota.NodeId;
import io.github.kueue4j.core.quota.QuotaTree;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.scheduler.SchedulingCycle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The ClusterQueues whose heads would borrow, and wait in the cycles of one turn while other queues
 * of their Cohort tree get their own quota. Their heads are left out of these cycles, so that
 * filling a quota takes time in proportion to the Workloads that get it, however many wait to
 * borrow. They take part again, all at once, as soon as a cycle has reserved no quota below their
 * root.
 */
final class WaitingBorrowers {
  private final QuotaTree tree;
  private final Map<NodeId, Set<String>> queues = new HashMap<>();

  /** None wait. */
  WaitingBorrowers(QuotaTree tree) {
    this.tree = tree;
  }

  /** The roots below which some wait. */
  Set<NodeId> roots() {
    return queues.keySet();
  }

  /** The heads that take part in the next cycle: all, if those that wait are the only ones. */
  List<SchedulingCycle.Head> select(List<SchedulingCycle.Head> heads) {
    List<SchedulingCycle.Head> others =
        heads.stream().filter(head -> !waits(head.clusterQueue())).toList();
    if (others.isEmpty()) {
      queues.clear();
      return heads;
    }
    return others;
  }

  private boolean waits(String queue) {
    return queues.getOrDefault(tree.rootOf(queue), Set.of()).contains(queue);
  }

  /** A cycle has ended with these decisions. */
  void decided(List<Decision> decisions) {
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Skipped skipped
          && skipped.why() == Decision.Skip.AFTER_OWNERS) {
        String queue = skipped.clusterQueue();
        queues.computeIfAbsent(tree.rootOf(queue), root -> new HashSet<>()).add(queue);
      }
    }
    queues.keySet().retainAll(rootsOfReservations(decisions));
  }

  private Set<NodeId> rootsOfReservations(List<Decision> decisions) {
    return decisions.stream()
        .filter(Decision.ReserveQuota.class::isInstance)
        .map(decision -> tree.rootOf(decision.clusterQueue()))
        .collect(Collectors.toSet());
  }
}
