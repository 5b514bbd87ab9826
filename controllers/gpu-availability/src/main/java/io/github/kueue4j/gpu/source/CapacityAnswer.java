// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.source;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.RecordReader;
import io.github.kueue4j.gpu.fit.Amounts;
import io.github.kueue4j.gpu.fit.NodeFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The document that a server answers.
 *
 * @param nodes what could be had; must be there, may be empty, and names 256 flavors at most
 */
record CapacityAnswer(Optional<List<Stock>> nodes) {

  /** The nodes of each flavor that are read: more of them make no difference to a Workload. */
  static final int MOST_NODES = 1000;

  /** An answer with more of them is refused, so that what is kept of it is bounded. */
  static final int MOST_FLAVORS = 256;

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
    long flavors = nodes.get().stream().map(Stock::flavor).distinct().count();
    if (flavors > MOST_FLAVORS) {
      throw new InvalidFieldException(
          "nodes", flavors + " flavors", "write " + MOST_FLAVORS + " at most");
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

  /**
   * The nodes, the first 1,000 of each flavor, each with a name that no node of a cluster can have.
   */
  List<NodeFacts> facts(CapacitySource source) {
    List<NodeFacts> facts = new ArrayList<>();
    Map<String, Integer> counts = new HashMap<>();
    for (Stock stock : nodes.orElseThrow()) {
      Amounts allocatable = Amounts.of(stock.allocatable).bounded();
      int first = counts.getOrDefault(stock.flavor, 0);
      int end = first + Math.min(stock.count, MOST_NODES - first);
      counts.put(stock.flavor, end);
      for (int number = first; number < end; number++) {
        facts.add(
            new NodeFacts(
                stock.flavor + '#' + number + " of " + source.url(),
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
