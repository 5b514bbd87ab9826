// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Finds places for pods: the largest first, then, if that fails, those first that the fewest nodes
 * may take. A placement that is found exists; one that exists may be missed where there are several
 * pod sets. Takes nothing.
 *
 * <pre>{@code
 * Optional<List<Place>> places = new Packing(rooms, List.of("nvidia.com/gpu")).place(podGroups);
 * }</pre>
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Packing {

  private final Rooms rooms;
  private final List<String> scarce;

  /**
   * Finds places in these rooms.
   *
   * @param scarce the resources to be sparing with, such as {@code nvidia.com/gpu}
   */
  public Packing(Rooms rooms, List<String> scarce) {
    this.rooms = rooms;
    this.scarce = List.copyOf(scarce);
  }

  /** Places for all pods; empty if none were found for some of them. */
  public Optional<List<Place>> place(List<PodGroup> groups) {
    if (!groups.stream().allMatch(this::fitsAlone)) {
      return Optional.empty();
    }
    Optional<List<Place>> places = placeAll(groups, largestFirst());
    if (places.isPresent() || groups.size() < 2) {
      return places;
    }
    return placeAll(
        groups, Comparator.comparingInt(this::nodesThatMayTakeIt).thenComparing(largestFirst()));
  }

  /** Places for all pods if they are found; else for as many as fit, the largest first. */
  public List<Place> placeMost(List<PodGroup> groups) {
    return place(groups)
        .orElseGet(
            () -> {
              Placement placement = new Placement();
              groups.stream().sorted(largestFirst()).forEach(group -> place(group, placement));
              return placement.places;
            });
  }

  /** Whether there is room for the group without the others: quickly told where there is not. */
  private boolean fitsAlone(PodGroup group) {
    long left = group.count();
    for (Room room : rooms.admitting(group.needs().constraints())) {
      if (left <= 0) {
        break;
      }
      left -= room.capacity(group.needs().requests(), Map.of());
    }
    return left <= 0;
  }

  private Optional<List<Place>> placeAll(List<PodGroup> groups, Comparator<PodGroup> order) {
    Placement placement = new Placement();
    for (PodGroup group : groups.stream().sorted(order).toList()) {
      if (!place(group, placement)) {
        return Optional.empty();
      }
    }
    return Optional.of(placement.places);
  }

  private Comparator<PodGroup> largestFirst() {
    return Comparator.comparingLong(this::size)
        .thenComparingLong(group -> group.needs().requests().of("cpu"))
        .reversed();
  }

  /** Places that were found, and what they take. */
  private static final class Placement {
    private final List<Place> places = new ArrayList<>();
    private final Map<Room, Map<String, Long>> taken = new HashMap<>();

    void add(Room room, PodGroup group, int count) {
      places.add(new Place(room.facts().name(), group.needs(), count));
      Room.add(taken.computeIfAbsent(room, any -> Room.nothing()), group.needs().requests(), count);
    }

    Map<String, Long> taken(Room room) {
      return taken.getOrDefault(room, Map.of());
    }
  }

  /**
   * On the nodes first where the least of what is scarce is free.
   *
   * @return whether there is a place for all
   */
  private boolean place(PodGroup group, Placement placement) {
    int left = group.count();
    if (left == 0) {
      return true;
    }
    TreeMap<Long, List<Room>> byFree = new TreeMap<>();
    for (Room room : rooms.admitting(group.needs().constraints())) {
      byFree.computeIfAbsent(freeOfScarce(room, placement), free -> new ArrayList<>()).add(room);
    }
    for (List<Room> equallyFree : byFree.values()) {
      for (Room room : equallyFree) {
        int count = Math.min(left, room.capacity(group.needs().requests(), placement.taken(room)));
        if (count > 0) {
          placement.add(room, group, count);
          left -= count;
        }
        if (left == 0) {
          return true;
        }
      }
    }
    return false;
  }

  private long freeOfScarce(Room room, Placement placement) {
    Map<String, Long> besides = placement.taken(room);
    long free = 0;
    for (String resource : scarce) {
      free += Math.max(0, room.free(resource) - besides.getOrDefault(resource, 0L));
    }
    return free;
  }

  private long size(PodGroup group) {
    long size = 0;
    for (String resource : scarce) {
      size = Math.max(size, group.needs().requests().of(resource));
    }
    return size;
  }

  private int nodesThatMayTakeIt(PodGroup group) {
    int nodes = 0;
    for (Room room : rooms.admitting(group.needs().constraints())) {
      nodes += room.capacity(group.needs().requests(), Map.of()) > 0 ? 1 : 0;
    }
    return nodes;
  }
}
