// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.source;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.RecordReader;
import io.github.kueue4j.gpu.fit.Amounts;
import io.github.kueue4j.gpu.fit.NodeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The document that a server answers.
 *
 * @param nodes what could be had; must be there, and may be empty
 */
record CapacityAnswer(Optional<List<Stock>> nodes) {

  /** Of all flavors together: more of them make no difference to a Workload. */
  static final int MOST_NODES = 1000;

  /**
   * Nodes that could be had.
   *
   * @param flavor of which they would be
   * @param count how many, 0 or more
   * @param allocatable what pods could take of each
   */
  record Stock(String flavor, int count, Map<String, Quantity> allocatable) {
    Stock {
      if (flavor.isEmpty()) {
        throw new InvalidFieldException("flavor", flavor, "name a ResourceFlavor");
      }
      if (count < 0) {
        throw new InvalidFieldException("count", Integer.toString(count), "write 0 or more");
      }
      if (allocatable.isEmpty()) {
        throw new InvalidFieldException(
            "allocatable", null, "write what a node has, such as {\"nvidia.com/gpu\": 8}");
      }
    }
  }

  CapacityAnswer {
    if (nodes.isEmpty()) {
      throw new InvalidFieldException("nodes", null, "write a list, empty if there are none");
    }
  }

  /**
   * Reads an answer.
   *
   * @throws IllegalArgumentException if it is no such document; the message says what is wrong
   */
  static CapacityAnswer read(String json) {
    return RecordReader.readJson(json, CapacityAnswer.class, "answer");
  }

  /** The nodes, each with a name that no node of a cluster can have. */
  List<NodeFacts> facts(CapacitySource source) {
    List<NodeFacts> facts = new ArrayList<>();
    for (Stock stock : nodes.orElseThrow()) {
      Amounts allocatable = Amounts.of(stock.allocatable).bounded();
      for (int i = 0; i < stock.count && facts.size() < MOST_NODES; i++) {
        facts.add(
            new NodeFacts(
                stock.flavor + '#' + facts.size() + " of " + source.url(),
                source.labels(stock.flavor),
                CapacitySource.taints(),
                true,
                true,
                allocatable,
                Amounts.NONE));
      }
    }
    return facts;
  }
}
