// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apiguardian.api.API;

/**
 * Finds places for pods: the largest first, then, if that fails, those first that the fewest nodes
 * may take, and where pods must be apart, those first that must be. A placement that is found
 * exists; one that exists may be missed where there are several pod sets. Takes nothing.
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
    Comparator<PodGroup> fewestNodesFirst =
        Comparator.comparingInt(this::nodesThatMayTakeIt).thenComparing(largestFirst());
    return placeAll(groups, fewestNodesFirst)
        .or(
            () ->
                isSeparated(groups)
                    ? placeAll(groups, apartFirst().thenComparing(fewestNodesFirst))
                    : Optional.empty());
  }

  /**
   * Places for all pods if they are found; else for as many as fit, the largest first.
   *
   * @param beside places of other pods of the same workload, whose room is taken already
   */
  public List<Place> placeMost(List<PodGroup> groups, List<Place> beside) {
    if (beside.isEmpty() || !isSeparated(groups)) {
      Optional<List<Place>> all = place(groups);
      if (all.isPresent()) {
        return all.get();
      }
    }
    Placement placement = new Placement(isSeparated(groups), takenBy(beside));
    groups.stream().sorted(largestFirst()).forEach(group -> place(group, placement));
    return placement.places;
  }

  /**
   * Whether pods at the place may be beside others of the same workload.
   *
   * @param others where these are
   */
  public boolean mayBeBeside(Place place, List<Place> others) {
    TakenPlaces taken = takenBy(others);
    return rooms
        .node(place.node())
        .filter(node -> TakenPlaces.isIn(taken.forbidden(place.needs()), node))
        .isEmpty();
  }

  private TakenPlaces takenBy(List<Place> places) {
    TakenPlaces taken = new TakenPlaces();
    places.forEach(
        place -> rooms.node(place.node()).ifPresent(node -> taken.add(place.needs(), node)));
    return taken;
  }

  private static boolean isSeparated(List<PodGroup> groups) {
    return groups.stream().anyMatch(group -> !group.needs().separation().isNone());
  }

  private static Comparator<PodGroup> apartFirst() {
    return Comparator.comparing(group -> group.needs().separation().isNone());
  }

  /** Whether there is room for the group without the others: quickly told where there is not. */
  private boolean fitsAlone(PodGroup group) {
    long left = group.count();
    if (!group.needs().separation().isNone()) {
      return most(group).applyAsLong(rooms.admitting(group.needs().constraints())) >= left;
    }
    for (Room room : rooms.admitting(group.needs().constraints())) {
      if (left <= 0) {
        break;
      }
      left -= room.capacity(group.needs().requests(), Map.of());
    }
    return left <= 0;
  }

  /** A bound on how many such pods fit on nodes that may take them, without other groups. */
  ToLongFunction<List<Room>> most(PodGroup group) {
    return nodes ->
        TakenPlaces.most(
            group.needs(), nodes, room -> room.capacity(group.needs().requests(), Map.of()));
  }

  private Optional<List<Place>> placeAll(List<PodGroup> groups, Comparator<PodGroup> order) {
    Placement placement = new Placement(isSeparated(groups), new TakenPlaces());
    for (PodGroup group : groups.stream().sorted(order).toList()) {
      if (!place(group, placement)) {
        return Optional.empty();
      }
    }
    return Optional.of(placement.places);
  }

  Comparator<PodGroup> largestFirst() {
    return Comparator.comparingLong(this::size)
        .thenComparingLong(group -> group.needs().requests().of("cpu"))
        .reversed();
  }

  /** Places that were found, and what they take. */
  private static final class Placement {
    private final List<Place> places = new ArrayList<>();
    private final Map<Room, Map<String, Long>> taken = new HashMap<>();
    private final TakenPlaces others;
    private final boolean separated;

    /**
     * Nothing yet.
     *
     * @param separated whether some pods must be apart
     * @param others where pods are besides
     */
    Placement(boolean separated, TakenPlaces others) {
      this.separated = separated;
      this.others = others;
    }

    void add(Room room, PodGroup group, int count) {
      places.add(new Place(room.facts().name(), group.needs(), count));
      Room.add(taken.computeIfAbsent(room, any -> Room.nothing()), group.needs().requests(), count);
      if (separated) {
        others.add(group.needs(), room.facts());
      }
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
    PodNeeds needs = group.needs();
    Set<String> own = needs.separation().from(needs.separation());
    Map<String, Set<String>> forbidden =
        placement.separated ? placement.others.forbidden(needs) : new HashMap<>();
    TreeMap<Long, List<Room>> byFree = new TreeMap<>();
    for (Room room : rooms.admitting(needs.constraints())) {
      byFree.computeIfAbsent(freeOfScarce(room, placement), free -> new ArrayList<>()).add(room);
    }
    for (List<Room> equallyFree : byFree.values()) {
      for (Room room : equallyFree) {
        if (TakenPlaces.isIn(forbidden, room.facts())) {
          continue;
        }
        int most = TakenPlaces.isOnePod(own, room.facts()) ? 1 : left;
        int count = Math.min(most, room.capacity(needs.requests(), placement.taken(room)));
        if (count > 0) {
          placement.add(room, group, count);
          TakenPlaces.add(forbidden, own, room.facts());
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
