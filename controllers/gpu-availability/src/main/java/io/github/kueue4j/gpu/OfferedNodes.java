// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.gpu.fit.NodeFacts;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.Rooms;
import io.github.kueue4j.gpu.source.CapacitySource;
import io.github.kueue4j.gpu.source.CapacitySources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes that capacity sources offer, among those of the cluster. What was promised of them is
 * not free again when its pods are bound, but with an answer to a request of a later moment: only
 * that one leaves out what these pods have taken. Not safe for use by several threads.
 */
final class OfferedNodes {

  private final Rooms rooms;
  private final Map<String, Known> bySource = new HashMap<>();
  private final List<Ended> ended = new ArrayList<>();
  private long moment;

  private record Known(Set<String> nodes, long moment) {}

  /** A place that is given up, and when. */
  private record Ended(Place place, long moment) {}

  OfferedNodes(Rooms rooms) {
    this.rooms = rooms;
  }

  /** The number of this moment. */
  long moment() {
    return moment;
  }

  /**
   * Takes in what a source offers, unless a later answer is known.
   *
   * @return whether that is new
   */
  boolean put(CapacitySource source, CapacitySources.Offered offered) {
    Known before = bySource.getOrDefault(source.url(), new Known(Set.of(), -1));
    if (offered.moment() < before.moment) {
      return false;
    }
    boolean changed = false;
    Set<String> names = new HashSet<>();
    for (NodeFacts node : offered.nodes()) {
      names.add(node.name());
      changed |= rooms.put(node).filter(node::equals).isEmpty();
    }
    for (String gone : before.nodes) {
      changed |= !names.contains(gone) && rooms.remove(gone).isPresent();
    }
    bySource.put(source.url(), new Known(names, offered.moment()));
    boolean freed = free(names, before.nodes, offered.moment());
    return freed || changed;
  }

  private boolean free(Set<String> nodes, Set<String> gone, long until) {
    return ended.removeIf(
        one -> {
          Place place = one.place;
          boolean over =
              one.moment <= until && (nodes.contains(place.node()) || gone.contains(place.node()));
          if (over) {
            rooms.give(place.node(), place.needs().requests(), place.count());
          }
          return over;
        });
  }

  /** Places that were kept are given up for good. */
  void ended(List<Place> places) {
    for (Place place : places) {
      if (CapacitySource.isOffered(place.needs().constraints())) {
        moment++;
        ended.add(new Ended(place, moment));
        rooms.take(place.node(), place.needs().requests(), place.count());
      }
    }
  }
}
