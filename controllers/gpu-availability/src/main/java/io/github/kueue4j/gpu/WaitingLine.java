// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.gpu.fit.Packing;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.PodGroup;
import io.github.kueue4j.gpu.fit.Rooms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Workloads that were told that there is no room, and who of them is told first when there is: the
 * longest waiting, and only as many as fit beside each other. An offer of room keeps it from others
 * in the line for a while, but from no workload that is evaluated with quota. In memory only: after
 * a restart their delays last as long as they were announced. Not safe for use by several threads.
 */
final class WaitingLine {

  /** For as long an offer counts: until then the workload should have its quota back. */
  static final Duration OFFER = Duration.ofMinutes(1);

  /** Per call, so that evaluations need not wait long for it; the next call goes on. */
  private static final int MOST_TRIES = 8;

  /**
   * One that waits.
   *
   * @param uid of the workload
   * @param demand what it needs
   * @param policy by which it was answered
   * @param since when it was told for the first time
   * @param number of arrival
   */
  record Waiting(
      ObjectKey key, String uid, Demand demand, GpuPolicy policy, Instant since, long number) {}

  private record Offer(List<Place> places, Instant until) {}

  private static final Comparator<Waiting> LONGEST_FIRST =
      Comparator.comparing(Waiting::since).thenComparingLong(Waiting::number);

  private final Map<ObjectKey, Map<String, Waiting>> all = new HashMap<>();
  private final Map<List<PodGroup>, TreeSet<Waiting>> byDemand = new HashMap<>();
  private final Map<ObjectKey, Offer> offers = new HashMap<>();

  /** Demands for which there was no room since it last grew. */
  private final Set<List<PodGroup>> unfit = new HashSet<>();

  private boolean unfinished;
  private long arrivals;

  /** Adds one that was told that there is no room; what it waited before counts. */
  void join(ObjectKey key, String check, String uid, Demand demand, GpuPolicy policy, Instant now) {
    Optional<Waiting> before = of(key, check).filter(one -> one.uid.equals(uid));
    leave(key, check);
    offers.remove(key);
    Waiting waiting =
        new Waiting(key, uid, demand, policy, before.map(Waiting::since).orElse(now), arrivals++);
    all.computeIfAbsent(key, any -> new HashMap<>()).put(check, waiting);
    byDemand.computeIfAbsent(demand.groups(), any -> new TreeSet<>(LONGEST_FIRST)).add(waiting);
  }

  /** The one with this answer of this check. */
  Optional<Waiting> of(ObjectKey key, String check) {
    return Optional.ofNullable(all.getOrDefault(key, Map.of()).get(check));
  }

  /** Removes one that waits no more for this check. */
  void leave(ObjectKey key, String check) {
    @Nullable Map<String, Waiting> ofKey = all.get(key);
    @Nullable Waiting waiting = ofKey == null ? null : ofKey.remove(check);
    if (ofKey == null || waiting == null) {
      return;
    }
    if (ofKey.isEmpty()) {
      all.remove(key);
      offers.remove(key);
    }
    byDemand.computeIfPresent(
        waiting.demand.groups(),
        (groups, alike) -> {
          alike.remove(waiting);
          return alike.isEmpty() ? null : alike;
        });
  }

  /** Removes a workload that is gone. */
  void leave(ObjectKey key) {
    List.copyOf(all.getOrDefault(key, Map.of()).keySet()).forEach(check -> leave(key, check));
  }

  /** Whether there is an offer for the workload. */
  boolean isOffered(ObjectKey key) {
    return offers.containsKey(key);
  }

  int size() {
    return all.size();
  }

  /** There is more room than before: all are to be tried again. */
  void roomGrew() {
    unfit.clear();
    unfinished = true;
  }

  /** Whether there may be room for some that were not tried since it last grew. */
  boolean isUnfinished() {
    return unfinished;
  }

  /**
   * Offers what is free to those that wait.
   *
   * @return those that have an offer now and had none before
   */
  List<ObjectKey> offer(Rooms rooms, Reservations reservations, Instant now) {
    offers.values().removeIf(offer -> !now.isBefore(offer.until));
    offers.values().forEach(offer -> reservations.take(offer.places));
    List<ObjectKey> woken = new ArrayList<>();
    PriorityQueue<Turn> turns =
        new PriorityQueue<>(Comparator.comparing(Turn::next, LONGEST_FIRST));
    byDemand.forEach(
        (groups, alike) -> {
          if (!unfit.contains(groups)) {
            turns.add(new Turn(alike.iterator()));
          }
        });
    int tries = 0;
    while (!turns.isEmpty() && tries < MOST_TRIES) {
      Turn turn = turns.poll();
      Waiting waiting = turn.next();
      boolean fits = isOffered(waiting.key);
      if (!fits) {
        tries++;
        Optional<List<Place>> places =
            new Packing(rooms, waiting.demand.resources()).place(waiting.demand.groups());
        fits = places.isPresent();
        if (fits) {
          reservations.take(places.get());
          offers.put(waiting.key, new Offer(places.get(), now.plus(OFFER)));
          woken.add(waiting.key);
        }
      }
      if (!fits) {
        unfit.add(waiting.demand.groups());
      } else if (turn.advance()) {
        turns.add(turn);
      }
    }
    unfinished = !turns.isEmpty();
    offers.values().forEach(offer -> reservations.give(offer.places));
    return woken;
  }

  /** Those with the same demand, one after the other. */
  private static final class Turn {
    private final Iterator<Waiting> rest;
    private Waiting next;

    Turn(Iterator<Waiting> all) {
      rest = all;
      next = all.next();
    }

    Waiting next() {
      return next;
    }

    boolean advance() {
      boolean more = rest.hasNext();
      if (more) {
        next = rest.next();
      }
      return more;
    }
  }
}
