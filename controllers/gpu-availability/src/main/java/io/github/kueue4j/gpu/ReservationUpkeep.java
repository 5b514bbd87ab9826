// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.gpu.fit.NodeFacts;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.PodGroup;
import io.github.kueue4j.gpu.fit.Rooms;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the reservations in step with the workloads and pods: which workloads are to be looked at
 * again is noted when something changes, and what follows is worked out before the next answer. Not
 * safe for use by several threads.
 */
final class ReservationUpkeep {

  private final Function<ObjectKey, Optional<Workload>> workloads;
  private final OwnedPods pods;
  private final Rooms rooms;
  private final Reservations reservations;
  private final LetThrough letThrough;

  /** The workloads that are due, of those that exist or have a reservation. */
  private final Set<ObjectKey> due = new LinkedHashSet<>();

  private Instant nextLapse = Instant.MAX;
  private Instant settledAt = Instant.MIN;

  ReservationUpkeep(
      Function<ObjectKey, Optional<Workload>> workloads,
      OwnedPods pods,
      Rooms rooms,
      Reservations reservations,
      LetThrough letThrough) {
    this.workloads = workloads;
    this.pods = pods;
    this.rooms = rooms;
    this.reservations = reservations;
    this.letThrough = letThrough;
  }

  /**
   * Something of the workload may have changed. On a replica that answers nothing, workloads come
   * and go and are never looked at: those that are gone are forgotten at once.
   */
  void add(ObjectKey key) {
    if (workloads.apply(key).isPresent() || reservations.of(key).isPresent()) {
      due.add(key);
    } else {
      due.remove(key);
    }
  }

  /** Something of the rooms has changed: on a replica without reservations that is of no use. */
  void roomsChanged() {
    if (reservations.open().isEmpty()) {
      rooms.forgetStrained();
    }
  }

  /** Keeps room for the workload, as it was just answered. */
  void answered(ObjectKey key, Reservation reservation, List<Place> places) {
    reservation.unseen = true;
    reservations.put(key, reservation, places);
    nextLapse = earlier(nextLapse, reservation.until());
    due.add(key);
  }

  /** When room that is kept now lapses next; far in the future if none is kept. */
  Instant nextLapse() {
    return nextLapse;
  }

  /** How many workloads are to be looked at. */
  int pending() {
    return due.size();
  }

  /**
   * Works out what follows from all changes since the last call.
   *
   * @param answered workloads whose Ready no watch has shown yet
   * @param grew whether there may be room for pods that had no place
   * @return whether room has become free
   */
  boolean settle(Instant now, Set<ObjectKey> answered, boolean grew) {
    boolean setBack = now.isBefore(settledAt);
    settledAt = now;
    if (setBack) {
      reservations.open().values().forEach(one -> one.clockSetBack(now));
    }
    boolean lapse = setBack || !now.isBefore(nextLapse);
    reservations
        .open()
        .forEach(
            (key, one) -> {
              if (lapse || (one.unseen && !answered.contains(key)) || (grew && one.lacksPlaces())) {
                due.add(key);
              }
            });
    boolean freed = false;
    for (ObjectKey key : due) {
      freed |= review(key, now, answered.contains(key));
    }
    due.clear();
    reservations.leave(rooms.takeStrained());
    rooms.forgetStrained();
    if (lapse) {
      nextLapse =
          reservations.open().values().stream()
              .map(Reservation::until)
              .min(Instant::compareTo)
              .orElse(Instant.MAX);
    }
    return freed;
  }

  /** Whether room has become free. */
  private boolean review(ObjectKey key, Instant now, boolean answered) {
    @Nullable Workload workload = workloads.apply(key).orElse(null);
    @Nullable Reservation known =
        reservations
            .of(key)
            .filter(one -> workload != null && one.uid.equals(Uids.of(workload)))
            .orElse(null);
    @Nullable Instant basis = workload == null ? null : letThrough.since(workload).orElse(null);
    if (workload == null || (basis == null && (known == null || !known.unseen || !answered))) {
      return reservations.remove(key);
    }
    boolean freed = false;
    if (known != null && basis != null && (known.unseen || !known.basis.equals(basis))) {
      Demand told = letThrough.reservation(workload, now).demand;
      if (!known.demand.isInDomainsOf(told)) {
        // The answer that counts is another one, such as that of a former process.
        freed = reservations.remove(key);
        known = null;
      }
    }
    Reservation kept = known == null ? letThrough.reservation(workload, now) : known;
    if (kept.demand.isEmpty()) {
      return freed;
    }
    if (known == null) {
      reservations.put(key, kept, List.of());
    }
    if (basis != null && (kept.unseen || !kept.basis.equals(basis))) {
      kept.unseen = false;
      kept.basis = basis;
      kept.since = now;
    }
    Demand left = kept.demand.withoutReclaimed(workload);
    boolean hadPlaces = !kept.places.isEmpty();
    List<BoundPod> standing = standing(workload);
    kept.bound(standing);
    List<PodGroup> missing = Reservation.missing(left, standing);
    reservations.missing(key, kept, missing, now);
    if (reservations.open().containsKey(key)) {
      nextLapse = earlier(nextLapse, kept.until());
      return freed;
    }
    return freed || hadPlaces;
  }

  /**
   * The pods of the workload that stand for some of its demand: not those that end on a node that
   * takes no others in their place.
   */
  private List<BoundPod> standing(Workload workload) {
    return pods.of(workload).stream()
        .filter(
            pod ->
                !pod.terminating() || rooms.node(pod.node()).filter(NodeFacts::usable).isPresent())
        .toList();
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
