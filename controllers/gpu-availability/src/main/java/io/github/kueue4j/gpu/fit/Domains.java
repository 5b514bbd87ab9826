// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds places for pods in one domain: on nodes with the same value of a label. Of the domains with
 * room, the one is taken that has the least, so that others keep theirs for larger workloads. A pod
 * set alone is placed exactly, as by {@link Packing}; of several, a placement may be missed. Takes
 * nothing.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Domains {

  private final Rooms rooms;
  private final List<String> scarce;
  private final String label;
  private final boolean ofEach;
  private final Packing packing;

  /**
   * The domains of these rooms.
   *
   * @param scarce the resources to be sparing with
   * @param label whose values name the domains
   * @param ofEach whether each pod set may have a domain of its own
   */
  public Domains(Rooms rooms, List<String> scarce, String label, boolean ofEach) {
    this.rooms = rooms;
    this.scarce = List.copyOf(scarce);
    this.label = label;
    this.ofEach = ofEach;
    this.packing = new Packing(rooms, scarce);
  }

  /**
   * Pods that are bound to domains, and places for them there.
   *
   * @param groups the pod sets with pods, whose nodes must have the label with the value of the
   *     domain
   */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public record Chosen(List<PodGroup> groups, List<Place> places) {
    /** Keeps copies. */
    public Chosen {
      groups = List.copyOf(groups);
      places = List.copyOf(places);
    }
  }

  /** Domains with room for all of these pods; empty if none were found. */
  public Optional<Chosen> place(List<PodGroup> groups) {
    Chosen chosen = new Chosen(List.of(), List.of());
    for (List<PodGroup> together : parts(groups)) {
      Optional<Chosen> next = beside(chosen.groups, together);
      if (next.isEmpty()) {
        return next;
      }
      chosen = next.get();
    }
    return Optional.of(chosen);
  }

  /** The groups that must share a domain, the largest pods first. */
  private List<List<PodGroup>> parts(List<PodGroup> groups) {
    List<PodGroup> sorted =
        groups.stream().filter(group -> group.count() > 0).sorted(packing.largestFirst()).toList();
    return ofEach || sorted.isEmpty() ? sorted.stream().map(List::of).toList() : List.of(sorted);
  }

  private Optional<Chosen> beside(List<PodGroup> bound, List<PodGroup> together) {
    PodGroup first = together.getFirst();
    Map<String, Long> room = inEach(rooms.admitting(constraints(first)), packing.most(first));
    List<String> leastRoomFirst =
        allowed(together).stream()
            .filter(domain -> room.getOrDefault(domain, 0L) >= first.count())
            .sorted(Comparator.comparing(domain -> room.getOrDefault(domain, 0L)))
            .toList();
    for (String domain : leastRoomFirst) {
      List<PodGroup> all = new ArrayList<>(bound);
      all.addAll(in(domain, together));
      Optional<List<Place>> places = packing.place(all);
      if (places.isPresent()) {
        return Optional.of(new Chosen(all, places.get()));
      }
    }
    return Optional.empty();
  }

  /** The domains that the pods' own selectors allow, by name. */
  private List<String> allowed(List<PodGroup> together) {
    return rooms.values(label).stream()
        .filter(domain -> together.stream().allMatch(one -> one.needs().mayBeIn(label, domain)))
        .toList();
  }

  private List<PodGroup> in(String domain, List<PodGroup> groups) {
    return groups.stream().map(group -> group.withNeeds(group.needs().in(label, domain))).toList();
  }

  /** By domain, how many pods these nodes may take: all domains cost one look at each node. */
  private Map<String, Long> inEach(List<Room> nodes, ToLongFunction<List<Room>> most) {
    Map<String, List<Room>> byDomain = new HashMap<>();
    for (Room node : nodes) {
      @Nullable String domain = node.facts().labels().get(label);
      if (domain != null) {
        byDomain.computeIfAbsent(domain, none -> new ArrayList<>()).add(node);
      }
    }
    Map<String, Long> pods = new HashMap<>();
    byDomain.forEach((domain, there) -> pods.put(domain, most.applyAsLong(there)));
    return pods;
  }

  private static Constraints constraints(PodGroup group) {
    return group.needs().constraints();
  }

  /** Why these pods, for which no domains were found, have none. */
  public Shortage shortage(List<PodGroup> groups) {
    Shortage anywhere = Shortage.of(rooms, groups, scarce);
    if (anywhere.isForGood()) {
      return anywhere;
    }
    List<PodGroup> together =
        parts(groups).stream()
            .filter(part -> beside(List.of(), part).isEmpty())
            .findFirst()
            .orElseGet(() -> parts(groups).stream().flatMap(List::stream).toList());
    if (rooms.values(label).isEmpty()) {
      return new Shortage.NoDomain(together.getFirst(), label);
    }
    Set<String> possible = new HashSet<>(allowed(together));
    Map<String, Long> room = new HashMap<>();
    for (PodGroup group : together) {
      inEach(rooms.admitting(constraints(group)), packing.most(group))
          .forEach((domain, pods) -> room.merge(domain, Math.min(pods, group.count()), Long::sum));
      Map<String, Long> atBest =
          inEach(rooms.matching(constraints(group)), there -> Shortage.atBest(group, there));
      possible.removeIf(domain -> atBest.getOrDefault(domain, 0L) < group.count());
    }
    Optional<String> best =
        allowed(together).stream()
            .max(
                Comparator.comparing((String domain) -> room.getOrDefault(domain, 0L))
                    .thenComparing(Comparator.reverseOrder()))
            .filter(domain -> room.getOrDefault(domain, 0L) > 0);
    long pods =
        best.stream()
            .flatMap(domain -> packing.placeMost(in(domain, together), List.of()).stream())
            .mapToLong(Place::count)
            .sum();
    return new Shortage.LargerThanAnyDomain(
        together, label, best.orElse(""), pods, possible.isEmpty());
  }
}
