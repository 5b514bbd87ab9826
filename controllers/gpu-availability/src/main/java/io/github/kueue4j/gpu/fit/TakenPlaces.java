// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Where pods of a workload are, for others of it that must be elsewhere. */
final class TakenPlaces {

  /** By the needs of pods, the nodes that have some. */
  private final Map<PodNeeds, Set<NodeFacts>> nodes = new LinkedHashMap<>();

  void add(PodNeeds needs, NodeFacts node) {
    nodes.computeIfAbsent(needs, any -> new HashSet<>()).add(node);
  }

  /** The places that such pods must avoid, by topology key. */
  Map<String, Set<String>> forbidden(PodNeeds needs) {
    Map<String, Set<String>> forbidden = new HashMap<>();
    nodes.forEach(
        (other, there) -> {
          Set<String> keys = needs.separation().from(other.separation());
          there.forEach(node -> add(forbidden, keys, node));
        });
    return forbidden;
  }

  /** Adds the places of the node by these keys. */
  static void add(Map<String, Set<String>> places, Set<String> keys, NodeFacts node) {
    for (String key : keys) {
      Separation.place(key, node)
          .ifPresent(place -> places.computeIfAbsent(key, any -> new HashSet<>()).add(place));
    }
  }

  /** Whether the node is in one of the places. */
  static boolean isIn(Map<String, Set<String>> places, NodeFacts node) {
    return places.entrySet().stream()
        .anyMatch(
            place ->
                Separation.place(place.getKey(), node)
                    .filter(place.getValue()::contains)
                    .isPresent());
  }

  /** Whether the node is in a place of which such pods must be alone. */
  static boolean isOnePod(Set<String> own, NodeFacts node) {
    return own.stream().anyMatch(key -> Separation.place(key, node).isPresent());
  }

  /**
   * A bound on how many such pods fit on the nodes: exact if there is at most one topology key.
   *
   * @param capacity how many fit on a node whatever else is said
   */
  static long most(PodNeeds needs, List<Room> rooms, ToLongFunction<Room> capacity) {
    Set<String> own = needs.separation().from(needs.separation());
    if (own.isEmpty()) {
      return rooms.stream().mapToLong(capacity).sum();
    }
    return own.stream().mapToLong(key -> most(key, rooms, capacity)).min().orElse(0);
  }

  private static long most(String key, List<Room> rooms, ToLongFunction<Room> capacity) {
    Set<String> places = new HashSet<>();
    long pods = 0;
    for (Room room : rooms) {
      long here = capacity.applyAsLong(room);
      if (here > 0) {
        pods +=
            Separation.place(key, room.facts())
                .map(place -> places.add(place) ? 1L : 0L)
                .orElse(here);
      }
    }
    return pods;
  }
}
