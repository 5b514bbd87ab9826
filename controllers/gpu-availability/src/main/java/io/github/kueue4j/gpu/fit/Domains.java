// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

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

  /** Those that must share a domain, the largest pods first. */
  private List<List<PodGroup>> parts(List<PodGroup> groups) {
    List<PodGroup> sorted =
        groups.stream().filter(group -> group.count() > 0).sorted(packing.largestFirst()).toList();
    return ofEach || sorted.isEmpty() ? sorted.stream().map(List::of).toList() : List.of(sorted);
  }

  private Optional<Chosen> beside(List<PodGroup> bound, List<PodGroup> together) {
    List<Candidate> roomy =
        inEach(together).stream()
            .filter(one -> one.room >= together.getFirst().count())
            .sorted(Comparator.comparing(Candidate::room))
            .toList();
    for (Candidate candidate : roomy) {
      List<PodGroup> all = new ArrayList<>(bound);
      all.addAll(candidate.groups);
      Optional<List<Place>> places = packing.place(all);
      if (places.isPresent()) {
        return Optional.of(new Chosen(all, places.get()));
      }
    }
    return Optional.empty();
  }

  /**
   * A domain.
   *
   * @param groups the pods as they would be bound to it
   * @param room for how many pods of the first group it has room, without the others
   */
  private record Candidate(String domain, List<PodGroup> groups, long room) {}

  /** Those that the pods' own selectors allow, by name. */
  private List<Candidate> inEach(List<PodGroup> groups) {
    List<Candidate> candidates = new ArrayList<>();
    for (String domain : rooms.values(label)) {
      if (groups.stream().allMatch(group -> group.needs().mayBeIn(label, domain))) {
        List<PodGroup> here =
            groups.stream().map(group -> group.withNeeds(group.needs().in(label, domain))).toList();
        candidates.add(new Candidate(domain, here, packing.most(here.getFirst())));
      }
    }
    return candidates;
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
    String best = "";
    long most = 0;
    boolean forGood = true;
    for (Candidate candidate : inEach(together)) {
      long pods =
          packing.placeMost(candidate.groups, List.of()).stream().mapToLong(Place::count).sum();
      if (pods > most) {
        most = pods;
        best = candidate.domain;
      }
      forGood &= candidate.groups.stream().anyMatch(group -> !Shortage.mayFit(rooms, group));
    }
    return new Shortage.LargerThanAnyDomain(together, label, best, most, forGood);
  }
}
