// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.gpu.fit.Amounts;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.PodGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Room that is kept for the pods of a workload until they are bound. Mutable; the places are those
 * that {@link Reservations} takes in the rooms.
 */
final class Reservation {

  final String uid;
  final Demand demand;
  final Duration timeout;

  /** What the reservation rests on: when the check let the workload through or it was admitted. */
  Instant basis;

  /** Since when pods are missing. */
  Instant since;

  /** Whether it was worked out from the workload, by the policy that was known then. */
  boolean derived;

  /** Whether only this process knows of it, since no watch has shown the answer yet. */
  boolean unseen;

  /** Pods that are still to be bound. */
  List<PodGroup> missing;

  /** Where there is room for them; fewer where there is none. */
  List<Place> places = List.of();

  /** The pods that stood for some of the demand when it was last looked at. */
  private List<BoundPod> bound = List.of();

  /** Pods of those that ended with their nodes, and that no other pod has followed. */
  private final List<BoundPod> lost = new ArrayList<>();

  /** A reservation for pods of which none is bound. */
  Reservation(String uid, Demand demand, Duration timeout, Instant since) {
    this.uid = uid;
    this.demand = demand;
    this.timeout = timeout;
    this.basis = since;
    this.since = since;
    this.missing = demand.groups();
  }

  /** One that rests on what the objects tell, not on an answer of this process. */
  static Reservation derived(String uid, Demand demand, Duration timeout, Instant since) {
    Reservation reservation = new Reservation(uid, demand, timeout, since);
    reservation.derived = true;
    return reservation;
  }

  /** When room is no longer kept. */
  Instant until() {
    return since.plus(timeout);
  }

  /** The clock that {@link #since} was read from shows an earlier time now. */
  void clockSetBack(Instant now) {
    if (since.isAfter(now)) {
      since = now;
    }
  }

  /** Whether pods are missing that have no place. */
  boolean lacksPlaces() {
    return pods(missing) > places.stream().mapToLong(Place::count).sum();
  }

  /** Takes in which pods stand for some of the demand: a new one follows one that was lost. */
  void bound(List<BoundPod> now) {
    Set<ObjectKey> known = bound.stream().map(BoundPod::key).collect(Collectors.toSet());
    for (BoundPod pod : now) {
      if (!known.contains(pod.key())) {
        lost.stream()
            .filter(before -> standsFor(demand, pod.requests(), before.requests()))
            .findFirst()
            .ifPresent(lost::remove);
      }
    }
    bound = List.copyOf(now);
  }

  /** Takes in that a pod ended with its node. Pods that never stood for the demand don't count. */
  void lost(BoundPod pod) {
    if (bound.stream().anyMatch(one -> one.key().equals(pod.key()))) {
      lost.add(pod);
    }
  }

  /** Room is no longer kept for those that may follow. */
  void forgetLost() {
    lost.clear();
  }

  /** The pods that are missing since their nodes were lost. */
  List<PodGroup> lostWithNodes() {
    List<PodGroup> others = missing(demand.with(missing), lost);
    List<PodGroup> groups = new ArrayList<>();
    for (int i = 0; i < missing.size(); i++) {
      PodGroup group = missing.get(i);
      groups.add(group.withCount(group.count() - others.get(i).count()));
    }
    return groups;
  }

  /** How many pods these are. */
  static long pods(List<PodGroup> groups) {
    return groups.stream().mapToLong(PodGroup::count).sum();
  }

  /**
   * The pods of the demand that are not among those that are bound, the largest matched first. A
   * bound pod stands for one that needs at most as many GPUs: a pod without GPUs doesn't end the
   * reservation of a GPU.
   */
  static List<PodGroup> missing(Demand demand, List<BoundPod> bound) {
    return matched(demand, bound).missing;
  }

  /**
   * The pods of the demand that are bound, and those that are missing.
   *
   * @param missing those that are not
   * @param bound where the others are
   */
  private record Matched(List<PodGroup> missing, List<Place> bound) {}

  private static Matched matched(Demand demand, List<BoundPod> bound) {
    List<Place> places = new ArrayList<>();
    List<BoundPod> unmatched = new ArrayList<>(bound);
    unmatched.sort(Comparator.comparing(pod -> gpus(demand, pod.requests())));
    List<PodGroup> largestFirst = new ArrayList<>(demand.groups());
    largestFirst.sort(
        Comparator.comparing((PodGroup group) -> gpus(demand, group.needs().requests()))
            .reversed());
    Map<PodGroup, Integer> left = new HashMap<>();
    for (PodGroup group : largestFirst) {
      int count = group.count();
      for (int i = unmatched.size() - 1; i >= 0 && count > 0; i--) {
        if (standsFor(demand, unmatched.get(i).requests(), group.needs().requests())) {
          places.add(new Place(unmatched.remove(i).node(), group.needs(), 1));
          count--;
        }
      }
      left.put(group, count);
    }
    List<PodGroup> missing =
        demand.groups().stream()
            .map(group -> group.withCount(left.getOrDefault(group, 0)))
            .toList();
    return new Matched(missing, places);
  }

  /** Where the pods are that stand for some of the demand. */
  List<Place> boundPlaces() {
    return matched(demand, bound).bound;
  }

  private static boolean standsFor(Demand demand, Amounts pod, Amounts needed) {
    return demand.resources().stream()
        .allMatch(
            resource ->
                needed.of(resource) == 0
                    ? pod.of(resource) == 0
                    : pod.of(resource) >= needed.of(resource));
  }

  private static long gpus(Demand demand, Amounts requests) {
    return demand.resources().stream().mapToLong(requests::of).sum();
  }
}
