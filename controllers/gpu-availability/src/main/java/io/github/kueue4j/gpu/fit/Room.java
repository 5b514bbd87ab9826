// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.HashMap;
import java.util.Map;

/** A node and what is free on it; guarded by the {@link Rooms} that it belongs to. */
final class Room {

  private final Map<String, Long> taken;
  private NodeFacts facts;

  /**
   * A node.
   *
   * @param taken by resource, what pods and reservations take; may be changed by the caller
   */
  Room(NodeFacts facts, Map<String, Long> taken) {
    this.facts = facts;
    this.taken = taken;
  }

  NodeFacts facts() {
    return facts;
  }

  void facts(NodeFacts changed) {
    facts = changed;
  }

  /** The free amount of the resource; below 0 where more is taken than the node offers. */
  long free(String resource) {
    return facts.allocatable().of(resource) - taken.getOrDefault(resource, 0L);
  }

  /** Whether the node has room for any amount of the resource. */
  boolean isUnlimited(String resource) {
    return isUnreported(facts, resource);
  }

  /** How many pods with these requests fit, beside what {@code besides} takes. */
  int capacity(Amounts requests, Map<String, Long> besides) {
    return capacity(facts, facts.allocatable(), requests, taken, besides);
  }

  /** How many pods with these requests would fit if nothing were taken and all devices worked. */
  static int capacity(NodeFacts facts, Amounts requests) {
    return capacity(facts, facts.atBest(), requests, Map.of(), Map.of());
  }

  private static int capacity(
      NodeFacts facts,
      Amounts offers,
      Amounts requests,
      Map<String, Long> taken,
      Map<String, Long> besides) {
    long fits = Integer.MAX_VALUE;
    for (Map.Entry<String, Long> request : requests.byName().entrySet()) {
      String resource = request.getKey();
      long offered = offers.of(resource);
      if (offered == 0 && isUnreported(facts, resource)) {
        continue;
      }
      long free = offered - taken.getOrDefault(resource, 0L) - besides.getOrDefault(resource, 0L);
      fits = Math.min(fits, free / request.getValue());
      if (fits <= 0) {
        return 0;
      }
    }
    return (int) fits;
  }

  /**
   * Every kubelet reports these; a node that doesn't is a simulated one, which has room for any
   * number.
   */
  private static boolean isUnreported(NodeFacts facts, String resource) {
    return switch (resource) {
      case "cpu", "memory", "ephemeral-storage", Amounts.PODS ->
          !facts.allocatable().byName().containsKey(resource);
      default -> false;
    };
  }

  /** Adds the requests of count more pods. */
  static void add(Map<String, Long> taken, Amounts requests, long count) {
    requests
        .byName()
        .forEach(
            (resource, amount) -> {
              long sum = taken.getOrDefault(resource, 0L) + amount * count;
              if (sum == 0) {
                taken.remove(resource);
              } else {
                taken.put(resource, sum);
              }
            });
  }

  static Map<String, Long> nothing() {
    return new HashMap<>();
  }
}
