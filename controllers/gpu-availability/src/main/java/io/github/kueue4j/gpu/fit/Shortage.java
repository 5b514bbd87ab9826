// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu.fit;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Why pods have no places: the first reason found, of the pod sets one after the other.
 *
 * <p>That they never fit is said only where it is certain: no node may take such a pod, or none
 * offers as much as one needs, or all of them together don't offer as much as all need. Nodes that
 * are cordoned or not ready count, since they may come back, and so do devices that don't work.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface Shortage {

  /** The pods that have no places. */
  PodGroup group();

  /** No node has the labels that the pods need, or tolerable taints. */
  record NoSuchNode(PodGroup group) implements Shortage {}

  /**
   * A pod needs more than any of these nodes offers.
   *
   * @param resource of which it needs more
   * @param node the one that offers the most of the resource
   * @param offered how much that is
   */
  record LargerThanAnyNode(PodGroup group, String resource, String node, long offered)
      implements Shortage {}

  /**
   * All of these nodes together, if nothing ran on them, have room for fewer pods.
   *
   * @param pods for how many
   * @param nodes how many nodes there are
   */
  record MoreThanAllNodes(PodGroup group, long pods, int nodes) implements Shortage {}

  /**
   * Enough of the resource is free, but not where the pods need it.
   *
   * @param resource of which enough is free
   * @param free how much
   * @param nodes on how many nodes
   * @param mostOnOne how much on one of them
   * @param lacking what the nodes with enough of the resource lack; empty if there are none
   */
  record Fragmented(
      PodGroup group, String resource, long free, int nodes, long mostOnOne, Set<String> lacking)
      implements Shortage {
    /** Keeps a copy. */
    public Fragmented {
      lacking = Set.copyOf(lacking);
    }
  }

  /**
   * Too little is free now.
   *
   * @param resource of which there is too little
   * @param free how much is free
   */
  record TooLittle(PodGroup group, String resource, long free) implements Shortage {}

  /**
   * No node has the label whose values name domains.
   *
   * @param label of nodes
   */
  record NoDomain(PodGroup group, String label) implements Shortage {}

  /**
   * No domain has room for all of these pods.
   *
   * @param groups that must share a domain
   * @param label of nodes, whose values name the domains
   * @param best the domain that was found to have room for the most; empty if none has for any
   * @param pods for how many
   * @param forGood whether none would have, if nothing ran there
   */
  record LargerThanAnyDomain(
      List<PodGroup> groups, String label, String best, long pods, boolean forGood)
      implements Shortage {
    /** Keeps a copy. */
    public LargerThanAnyDomain {
      groups = List.copyOf(groups);
    }

    @Override
    public PodGroup group() {
      return groups.getFirst();
    }
  }

  /** Whether waiting is no use as long as the nodes stay as they are. */
  default boolean isForGood() {
    return switch (this) {
      case NoSuchNode none -> true;
      case LargerThanAnyNode larger -> true;
      case MoreThanAllNodes more -> true;
      case NoDomain none -> true;
      case LargerThanAnyDomain larger -> larger.forGood;
      case Fragmented fragmented -> false;
      case TooLittle little -> false;
    };
  }

  /**
   * Why these pods, for which no places were found, have none.
   *
   * @param scarce the resources to speak of first
   */
  static Shortage of(Rooms rooms, List<PodGroup> groups, List<String> scarce) {
    List<PodGroup> asking = groups.stream().filter(group -> group.count() > 0).toList();
    for (PodGroup group : asking) {
      Optional<Shortage> never = never(rooms, group, scarce);
      if (never.isPresent()) {
        return never.get();
      }
    }
    PodGroup alone =
        asking.stream()
            .skip(asking.size() == 1 ? 1 : 0)
            .filter(group -> new Packing(rooms, scarce).place(List.of(group)).isEmpty())
            .findFirst()
            .orElse(asking.getFirst());
    return now(rooms, alone, total(asking, alone, scarce), scarce);
  }

  private static Optional<Shortage> never(Rooms rooms, PodGroup group, List<String> scarce) {
    Amounts requests = group.needs().requests();
    List<Room> matching = rooms.matching(group.needs().constraints());
    if (matching.isEmpty()) {
      return Optional.of(new NoSuchNode(group));
    }
    long pods = atBest(group, matching);
    if (pods >= group.count()) {
      return Optional.empty();
    }
    if (pods > 0) {
      return Optional.of(new MoreThanAllNodes(group, pods, matching.size()));
    }
    String resource = firstAbove(requests, matching, scarce);
    NodeFacts node = largest(matching, resource);
    return Optional.of(
        new LargerThanAnyNode(group, resource, node.name(), node.atBest().of(resource)));
  }

  /** A bound on how many pods of the group the nodes might take, if nothing ran there. */
  static long atBest(PodGroup group, List<Room> matching) {
    return TakenPlaces.most(
        group.needs(), matching, room -> Room.capacity(room.facts(), group.needs().requests()));
  }

  private static NodeFacts largest(List<Room> rooms, String resource) {
    NodeFacts largest = rooms.getFirst().facts();
    for (Room room : rooms) {
      if (room.facts().atBest().of(resource) > largest.atBest().of(resource)) {
        largest = room.facts();
      }
    }
    return largest;
  }

  /** A resource of which no node has enough; else, one that the pods ask for. */
  private static String firstAbove(Amounts requests, List<Room> matching, List<String> scarce) {
    return Stream.concat(scarce.stream(), requests.byName().keySet().stream().sorted())
        .filter(resource -> requests.of(resource) > 0)
        .filter(
            resource -> requests.of(resource) > largest(matching, resource).atBest().of(resource))
        .findFirst()
        .orElseGet(() -> leading(requests, scarce));
  }

  private static Shortage now(Rooms rooms, PodGroup group, long total, List<String> scarce) {
    Amounts requests = group.needs().requests();
    String resource = leading(requests, scarce);
    long free = 0;
    long most = 0;
    int nodes = 0;
    Set<String> lacking = new HashSet<>();
    for (Room room : rooms.admitting(group.needs().constraints())) {
      long here = Math.max(0, room.free(resource));
      free += here;
      nodes += here > 0 ? 1 : 0;
      most = Math.max(most, here);
      if (here >= requests.of(resource)) {
        @Nullable String lacks = lacking(room, requests);
        if (lacks != null) {
          lacking.add(lacks);
        }
      }
    }
    return free >= total
        ? new Fragmented(group, resource, free, nodes, most, lacking)
        : new TooLittle(group, resource, free);
  }

  private static @Nullable String lacking(Room room, Amounts requests) {
    return requests.byName().entrySet().stream()
        .filter(one -> !room.isUnlimited(one.getKey()))
        .filter(one -> room.free(one.getKey()) < one.getValue())
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst()
        .orElse(null);
  }

  /** How much of what the group asks for first all groups on the same nodes need. */
  private static long total(List<PodGroup> groups, PodGroup group, List<String> scarce) {
    String resource = leading(group.needs().requests(), scarce);
    return groups.stream()
        .filter(one -> one.needs().constraints().equals(group.needs().constraints()))
        .mapToLong(one -> product(one.needs().requests().of(resource), one.count()))
        .reduce(0, Shortage::sum);
  }

  private static long product(long amount, int count) {
    long high = Math.multiplyHigh(amount, (long) count);
    return high == 0 && amount * count >= 0 ? amount * count : Long.MAX_VALUE;
  }

  private static long sum(long one, long other) {
    return one + other < 0 ? Long.MAX_VALUE : one + other;
  }

  /** The scarce resource that the pods ask for; else the first by name. */
  private static String leading(Amounts requests, List<String> scarce) {
    return scarce.stream()
        .filter(resource -> requests.of(resource) > 0)
        .findFirst()
        .orElseGet(
            () -> requests.byName().keySet().stream().sorted().findFirst().orElse(Amounts.PODS));
  }
}
