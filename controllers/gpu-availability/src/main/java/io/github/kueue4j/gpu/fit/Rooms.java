// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * All nodes and what is free on each, kept up to date by small changes. Not safe for use by several
 * threads.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Rooms {

  private static final int REMEMBERED_CONSTRAINTS = 256;

  private final TreeMap<String, Room> rooms = new TreeMap<>();

  /** By node, what is taken there; also of nodes that are not known yet. */
  private final Map<String, Map<String, Long>> taken = new HashMap<>();

  private final Map<Constraints, Match> matches = new Remembered();

  /** The nodes by the value of a label, of labels that were asked for since a node changed. */
  private final Map<String, SortedMap<String, List<Room>>> byLabel = new HashMap<>();

  private final Set<String> strained = new HashSet<>();

  /** The nodes that may take pods with the same constraints. */
  private record Match(List<Room> all, List<Room> usable) {}

  /** The rooms by constraints that were asked for lately. */
  private static final class Remembered extends LinkedHashMap<Constraints, Match> {
    private static final long serialVersionUID = 1L;

    Remembered() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Constraints, Match> eldest) {
      return size() > REMEMBERED_CONSTRAINTS;
    }
  }

  /**
   * Adds a node, or changes it.
   *
   * @return what was known of it
   */
  public Optional<NodeFacts> put(NodeFacts facts) {
    @Nullable Room room = rooms.get(facts.name());
    if (room == null) {
      Map<String, Long> there = taken.computeIfAbsent(facts.name(), name -> Room.nothing());
      rooms.put(facts.name(), new Room(facts, there));
      nodesChanged();
      return Optional.empty();
    }
    NodeFacts before = room.facts();
    if (!before.equals(facts)) {
      room.facts(facts);
      strained.add(facts.name());
      nodesChanged();
    }
    return Optional.of(before);
  }

  /** Removes a node; what is taken there is kept until it is given back. */
  public Optional<NodeFacts> remove(String node) {
    @Nullable Room room = rooms.remove(node);
    if (room == null) {
      return Optional.empty();
    }
    nodesChanged();
    strained.add(node);
    forgetIfEmpty(node);
    return Optional.of(room.facts());
  }

  /** Takes room for pods on a node, whether there is as much or not. */
  public void take(String node, Amounts requests, int count) {
    Room.add(taken.computeIfAbsent(node, name -> Room.nothing()), requests, count);
    @Nullable Room room = rooms.get(node);
    if (room != null
        && requests.byName().keySet().stream()
            .anyMatch(one -> room.free(one) < 0 && !room.isUnlimited(one))) {
      strained.add(node);
    }
  }

  /** Gives back what was taken. */
  public void give(String node, Amounts requests, int count) {
    Room.add(taken.computeIfAbsent(node, name -> Room.nothing()), requests, -count);
    forgetIfEmpty(node);
  }

  private void forgetIfEmpty(String node) {
    if (!rooms.containsKey(node) && taken.getOrDefault(node, Map.of()).isEmpty()) {
      taken.remove(node);
    }
  }

  /** The nodes on which more was taken than they offer, or which changed, since the last call. */
  public Set<String> takeStrained() {
    Set<String> names = new HashSet<>(strained);
    strained.clear();
    return names;
  }

  /** How many nodes {@link #takeStrained} would give. */
  public int strained() {
    return strained.size();
  }

  /** No place depends on what was taken or changed so far. */
  public void forgetStrained() {
    strained.clear();
  }

  /** Whether a place still holds: its node takes such pods, and no more is taken than there is. */
  public boolean holds(Place place) {
    @Nullable Room room = rooms.get(place.node());
    return room != null
        && place.needs().constraints().admit(room.facts())
        && place.needs().requests().byName().keySet().stream()
            .allMatch(resource -> room.free(resource) >= 0 || room.isUnlimited(resource));
  }

  /** The facts of a node. */
  public Optional<NodeFacts> node(String name) {
    return Optional.ofNullable(rooms.get(name)).map(Room::facts);
  }

  /** Whether the node may take such pods now, whatever room it has. */
  public boolean mayTake(String node, Constraints constraints) {
    return node(node).filter(constraints::admit).isPresent();
  }

  /** All nodes, by name. */
  public Collection<NodeFacts> nodes() {
    return rooms.values().stream().map(Room::facts).toList();
  }

  /** The taken amount of a resource on a node. */
  public long taken(String node, String resource) {
    return taken.getOrDefault(node, Map.of()).getOrDefault(resource, 0L);
  }

  /** Whether nothing is taken of the node, be it known or not. */
  public boolean isUnused(String node) {
    return taken.getOrDefault(node, Map.of()).isEmpty();
  }

  /** The usable nodes that may take such pods, in the order of their names. */
  List<Room> admitting(Constraints constraints) {
    return match(constraints).usable;
  }

  /** The same with those that are cordoned, not ready or tainted for the time being. */
  List<Room> matching(Constraints constraints) {
    return match(constraints).all;
  }

  /** The rooms that suit such pods but for a taint, in the order of their names. */
  List<Room> repelling(Constraints constraints) {
    return rooms.values().stream()
        .filter(room -> constraints.repelledBy(room.facts()).isPresent())
        .toList();
  }

  /** The values of the label, each of which some node has; not the empty one. */
  public List<String> values(String label) {
    return byLabel
        .computeIfAbsent(
            label,
            any -> {
              SortedMap<String, List<Room>> values = new TreeMap<>();
              for (Room room : rooms.values()) {
                @Nullable String value = room.facts().labels().get(label);
                if (value != null) {
                  values.computeIfAbsent(value, none -> new ArrayList<>()).add(room);
                }
              }
              return values;
            })
        .keySet()
        .stream()
        .filter(value -> !value.isEmpty())
        .toList();
  }

  /** All that may match, and few others where the selector names a value that was asked for. */
  private Collection<Room> candidates(Constraints wanted) {
    Collection<Room> fewest = rooms.values();
    for (Map.Entry<String, String> one : wanted.selector().entrySet()) {
      @Nullable SortedMap<String, List<Room>> values = byLabel.get(one.getKey());
      List<Room> having = values == null ? null : values.getOrDefault(one.getValue(), List.of());
      if (having != null && having.size() < fewest.size()) {
        fewest = having;
      }
    }
    return fewest;
  }

  private void nodesChanged() {
    matches.clear();
    byLabel.clear();
  }

  private Match match(Constraints constraints) {
    return matches.computeIfAbsent(
        constraints,
        wanted -> {
          List<Room> all =
              candidates(wanted).stream().filter(room -> wanted.mayAdmit(room.facts())).toList();
          List<Room> usable = all.stream().filter(room -> wanted.admit(room.facts())).toList();
          return new Match(all, usable);
        });
  }
}
