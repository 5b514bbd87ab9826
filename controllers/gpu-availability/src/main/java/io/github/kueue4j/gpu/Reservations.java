// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.gpu.fit.Packing;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.PodGroup;
import io.github.kueue4j.gpu.fit.PodNeeds;
import io.github.kueue4j.gpu.fit.Rooms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The room that is kept, by workload, and taken in the rooms. Not safe for use by several threads.
 *
 * <p>Nothing makes the scheduler use the places that are kept, so they move: where a pod was bound
 * elsewhere, a node was lost, or another workload fits only if they do.
 */
final class Reservations {

  /** Where there are more, their places stay as they are when another workload doesn't fit. */
  private static final int MOST_MOVED = 16;

  private final Rooms rooms;
  private final OfferedNodes offered;
  private final Map<ObjectKey, Reservation> all = new HashMap<>();

  /** The reservations with pods that are still to be bound, the oldest first. */
  private final Map<ObjectKey, Reservation> open = new LinkedHashMap<>();

  Reservations(Rooms rooms, OfferedNodes offered) {
    this.rooms = rooms;
    this.offered = offered;
  }

  Optional<Reservation> of(ObjectKey key) {
    return Optional.ofNullable(all.get(key));
  }

  /** The reservations with pods that are still to be bound. */
  Map<ObjectKey, Reservation> open() {
    return open;
  }

  /** Keeps room at these places, and at no others for this workload. */
  void put(ObjectKey key, Reservation reservation, List<Place> places) {
    withdraw(key);
    all.put(key, reservation);
    open.put(key, reservation);
    occupy(reservation, places);
  }

  /**
   * Keeps no room for the workload any more.
   *
   * @return whether some was kept
   */
  boolean remove(ObjectKey key) {
    List<Place> before = withdraw(key);
    offered.ended(before);
    return !before.isEmpty();
  }

  /**
   * Keeps no room for the workload until it is decided anew.
   *
   * @return where some was kept
   */
  List<Place> withdraw(ObjectKey key) {
    @Nullable Reservation before = all.remove(key);
    open.remove(key);
    if (before == null) {
      return List.of();
    }
    List<Place> places = before.places;
    occupy(before, List.of());
    return places;
  }

  /** Takes in which pods are still to be bound. */
  void missing(ObjectKey key, Reservation reservation, List<PodGroup> missing, Instant now) {
    if (Reservation.pods(missing) > Reservation.pods(reservation.missing)) {
      // One has ended: another one may follow.
      reservation.since = now;
    }
    reservation.missing = missing;
    if (Reservation.pods(missing) == 0 || !now.isBefore(reservation.until())) {
      end(reservation, List.of());
      reservation.forgetLost();
      open.remove(key);
      return;
    }
    open.put(key, reservation);
    keepAtMost(reservation, missing);
    fill(reservation);
  }

  /** Whether there is room for these pods of the reservation in place of those it is kept for. */
  boolean haveRoom(Reservation reservation, List<PodGroup> pods) {
    give(reservation.places);
    boolean room = new Packing(rooms, reservation.demand.resources()).place(pods).isPresent();
    take(reservation.places);
    return room;
  }

  /** Looks for room for pods that are still to be bound and have none: for as many as fit. */
  void fill(Reservation reservation) {
    if (!reservation.lacksPlaces()) {
      return;
    }
    Map<PodNeeds, Integer> placed = new HashMap<>();
    reservation.places.forEach(place -> placed.merge(place.needs(), place.count(), Integer::sum));
    List<PodGroup> without = new ArrayList<>();
    for (PodGroup group : reservation.missing) {
      int here = Math.min(group.count(), placed.getOrDefault(group.needs(), 0));
      placed.merge(group.needs(), -here, Integer::sum);
      without.add(group.withCount(group.count() - here));
    }
    List<Place> places = new ArrayList<>(reservation.places);
    List<Place> beside = new ArrayList<>(reservation.places);
    if (reservation.demand.isSeparated()) {
      beside.addAll(reservation.boundPlaces());
    }
    places.addAll(new Packing(rooms, reservation.demand.resources()).placeMost(without, beside));
    occupy(reservation, places);
  }

  /** Gives up places of pods that are bound. */
  private void keepAtMost(Reservation reservation, List<PodGroup> missing) {
    Map<PodNeeds, Integer> wanted = new HashMap<>();
    missing.forEach(group -> wanted.merge(group.needs(), group.count(), Integer::sum));
    List<Place> kept = new ArrayList<>();
    // Not where pods were bound that those still to come must not be with.
    Packing packing = new Packing(rooms, reservation.demand.resources());
    List<Place> bound = reservation.demand.isSeparated() ? reservation.boundPlaces() : List.of();
    List<Place> apart =
        reservation.places.stream().filter(place -> packing.mayBeBeside(place, bound)).toList();
    // First those that still hold: where pods were bound, too much is taken now.
    List<Place> firm = apart.stream().filter(rooms::holds).toList();
    List<Place> others = new ArrayList<>(apart);
    others.removeAll(firm);
    List<Place> ordered = new ArrayList<>(firm);
    ordered.addAll(others);
    for (Place place : ordered) {
      int count = Math.min(place.count(), wanted.getOrDefault(place.needs(), 0));
      if (count > 0) {
        kept.add(new Place(place.node(), place.needs(), count));
        wanted.merge(place.needs(), -count, Integer::sum);
      }
    }
    end(reservation, kept);
  }

  /** Gives up places for good, except these. */
  private void end(Reservation reservation, List<Place> kept) {
    List<Place> given = new ArrayList<>();
    for (Place place : reservation.places) {
      int left =
          kept.stream()
              .filter(one -> one.node().equals(place.node()) && one.needs().equals(place.needs()))
              .mapToInt(Place::count)
              .sum();
      if (left < place.count()) {
        given.add(new Place(place.node(), place.needs(), place.count() - left));
      }
    }
    occupy(reservation, kept);
    offered.ended(given);
  }

  /** Moves places away from these nodes, which have changed or where too much is taken. */
  void leave(Set<String> nodes) {
    if (nodes.isEmpty()) {
      return;
    }
    for (Reservation reservation : open.values()) {
      List<Place> firm =
          reservation.places.stream()
              .filter(place -> !nodes.contains(place.node()) || rooms.holds(place))
              .toList();
      if (firm.size() < reservation.places.size()) {
        occupy(reservation, firm);
        fill(reservation);
      }
    }
  }

  /** Places for these pods that exist if the places of others are moved, which they then are. */
  Optional<Demand.Placed> placeByMoving(Demand demand) {
    List<Reservation> movable =
        open.size() > MOST_MOVED
            ? List.of()
            : open.values().stream().filter(one -> !one.places.isEmpty()).toList();
    if (movable.isEmpty()) {
      return Optional.empty();
    }
    Map<Reservation, List<Place>> before = new LinkedHashMap<>();
    movable.forEach(one -> before.put(one, one.places));
    movable.forEach(one -> occupy(one, List.of()));
    Optional<Demand.Placed> placed = demand.place(rooms);
    boolean allFit = placed.isPresent();
    if (allFit) {
      take(placed.get().places());
      for (Reservation one : movable) {
        fill(one);
        allFit = allFit && !one.lacksPlaces();
      }
      give(placed.get().places());
    }
    if (allFit) {
      return placed;
    }
    movable.forEach(one -> occupy(one, List.of()));
    before.forEach(this::occupy);
    return Optional.empty();
  }

  /** Takes the room of these places. */
  void take(List<Place> places) {
    places.forEach(place -> rooms.take(place.node(), place.needs().requests(), place.count()));
  }

  /** Gives back the room of these places. */
  void give(List<Place> places) {
    places.forEach(place -> rooms.give(place.node(), place.needs().requests(), place.count()));
  }

  private void occupy(Reservation reservation, List<Place> places) {
    give(reservation.places);
    reservation.places = List.copyOf(places);
    take(reservation.places);
  }
}
