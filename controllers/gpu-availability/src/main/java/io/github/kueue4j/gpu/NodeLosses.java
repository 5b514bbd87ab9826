// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.gpu.fit.NodeFacts;
import io.github.kueue4j.gpu.fit.Rooms;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Nodes that are gone or not ready while pods are bound to them, and since when that was seen. Not
 * safe for use by several threads.
 */
final class NodeLosses {

  private final Rooms rooms;
  private final Map<String, Instant> since = new HashMap<>();

  NodeLosses(Rooms rooms) {
    this.rooms = rooms;
  }

  /** Whether the node is gone or not ready. */
  boolean contain(String node) {
    return rooms.node(node).filter(NodeFacts::ready).isEmpty();
  }

  /** One of these pods whose node has been lost for as long. */
  Optional<BoundPod> podLostFor(Duration grace, Collection<BoundPod> pods, Instant now) {
    return pods.stream()
        .filter(pod -> !pod.terminating() && contain(pod.node()))
        .filter(pod -> !now.isBefore(since.computeIfAbsent(pod.node(), node -> now).plus(grace)))
        .findFirst();
  }

  /**
   * Whether so many nodes aren't ready at once that the way to them is at fault, or the API server,
   * and their pods may well run. The bound is that of Kubernetes' own node controller, from where
   * on it slows down or stops its evictions: more than two nodes, and 55 % of all.
   */
  boolean areTooMany() {
    Collection<NodeFacts> nodes = rooms.nodes();
    long notReady = nodes.stream().filter(node -> !node.ready()).count();
    return notReady > 2 && 100 * notReady >= 55L * nodes.size();
  }

  /** The node has changed. */
  void changed(String node) {
    if (!contain(node)) {
      since.remove(node);
    }
  }

  /** Drops nodes without pods. */
  void prune() {
    since.keySet().removeIf(rooms::isUnused);
  }

  /** How many nodes are known to be lost. */
  int size() {
    return since.size();
  }
}
