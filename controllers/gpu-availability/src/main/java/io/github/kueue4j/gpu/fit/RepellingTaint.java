// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A taint for which nodes are passed over that could have such a pod otherwise.
 *
 * @param taint that the pod doesn't tolerate
 * @param nodes how many nodes have it; above 0
 * @param example the first of them by name
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RepellingTaint(NodeFacts.Taint taint, int nodes, String example) {

  /**
   * The taints that keep pods of the group from nodes that are large enough for one, those of most
   * nodes first. Smaller nodes don't count: without their taints they would be of no use.
   */
  public static List<RepellingTaint> of(Rooms rooms, PodGroup group) {
    PodNeeds needs = group.needs();
    Map<NodeFacts.Taint, RepellingTaint> found = new LinkedHashMap<>();
    for (Room room : rooms.repelling(needs.constraints())) {
      NodeFacts node = room.facts();
      if (Room.capacity(node, needs.requests()) > 0) {
        NodeFacts.Taint taint = needs.constraints().repelledBy(node).orElseThrow();
        found.merge(
            taint,
            new RepellingTaint(taint, 1, node.name()),
            (before, one) -> new RepellingTaint(taint, before.nodes + 1, before.example));
      }
    }
    List<RepellingTaint> sorted = new ArrayList<>(found.values());
    sorted.sort(Comparator.comparing(RepellingTaint::nodes).reversed());
    return sorted;
  }
}
