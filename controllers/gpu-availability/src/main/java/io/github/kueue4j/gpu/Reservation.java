// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

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

  /** Whether only this process knows of it, since no watch has shown the answer yet. */
  boolean unseen;

  /** Pods that are still to be bound. */
  List<PodGroup> missing;

  /** Where there is room for them; fewer where there is none. */
  List<Place> places = List.of();

  /** A reservation for pods of which none is bound. */
  Reservation(String uid, Demand demand, Duration timeout, Instant since) {
    this.uid = uid;
    this.demand = demand;
    this.timeout = timeout;
    this.basis = since;
    this.since = since;
    this.missing = demand.groups();
  }

  /** When room is no longer kept. */
  Instant until() {
    return since.plus(timeout);
  }

  /** Whether pods are missing that have no place. */
  boolean lacksPlaces() {
    return pods(missing) > places.stream().mapToLong(Place::count).sum();
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
          unmatched.remove(i);
          count--;
        }
      }
      left.put(group, count);
    }
    return demand.groups().stream()
        .map(group -> group.withCount(left.getOrDefault(group, 0)))
        .toList();
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
