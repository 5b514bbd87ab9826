// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.Rooms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Workloads that were told that there is no room, and who of them is told first when there is: the
 * longest waiting, and only as many as fit beside each other. An offer of room keeps it from others
 * in the line for a while, but from no workload that is evaluated with quota. One that doesn't come
 * back for it is passed over, until it is told once more that there is no room. In memory only. Not
 * safe for use by several threads.
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
   * @param since when it was told for the first time
   * @param number of arrival
   */
  record Waiting(ObjectKey key, String uid, Demand demand, Instant since, long number) {}

  /**
   * Room that is offered.
   *
   * @param at when it was offered
   */
  private record Offer(List<Place> places, Instant at) {
    /** An offer of the future is from before the clock was set back. */
    boolean isOver(Instant now) {
      return Duration.between(at, now).abs().compareTo(OFFER) >= 0;
    }
  }

  private static final Comparator<Waiting> LONGEST_FIRST =
      Comparator.comparing(Waiting::since).thenComparingLong(Waiting::number);

  /** The waiting workloads with the same demand that have no offer and were not passed over. */
  private static final class Alike {
    private final TreeSet<Waiting> members = new TreeSet<>(LONGEST_FIRST);

    /** Whether there was no room for one of them since it last grew. */
    private boolean unfit;

    boolean isToBeTried() {
      return !unfit && !members.isEmpty();
    }
  }

  private final Map<ObjectKey, Map<String, Waiting>> all = new HashMap<>();
  private final Map<Demand, Alike> byDemand = new HashMap<>();

  /** The oldest first. */
  private final Map<ObjectKey, Offer> offers = new LinkedHashMap<>();

  private boolean unfinished;

  /** In the round that goes on; absent: it begins with the longest waiting. */
  private @Nullable Waiting lastTried;

  private long arrivals;

  /**
   * Adds one that was told that there is no room.
   *
   * @param since when it was told; what it waited before counts
   */
  void join(ObjectKey key, String check, String uid, Demand demand, Instant since) {
    Optional<Waiting> before = of(key, check).filter(one -> one.uid.equals(uid));
    leave(key, check);
    withdraw(key);
    Waiting waiting =
        new Waiting(key, uid, demand, before.map(Waiting::since).orElse(since), arrivals++);
    all.computeIfAbsent(key, any -> new HashMap<>()).put(check, waiting);
    Alike alike = byDemand.computeIfAbsent(demand, any -> new Alike());
    alike.members.add(waiting);
    unfinished |= alike.isToBeTried();
  }

  /** The one with this answer of this check. */
  Optional<Waiting> of(ObjectKey key, String check) {
    return Optional.ofNullable(all.getOrDefault(key, Map.of()).get(check));
  }

  /** Whether it waits for a check. */
  boolean contains(ObjectKey key) {
    return all.containsKey(key);
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
      withdraw(key);
    }
    stepOut(waiting);
  }

  /** Removes a workload that can't come back. */
  void leave(ObjectKey key) {
    List.copyOf(all.getOrDefault(key, Map.of()).keySet()).forEach(check -> leave(key, check));
  }

  private void stepOut(Waiting waiting) {
    byDemand.computeIfPresent(
        waiting.demand,
        (demand, alike) -> {
          alike.members.remove(waiting);
          return alike.members.isEmpty() ? null : alike;
        });
  }

  /** Withdraws an offer to the workload, so that the room is free for others. */
  private void withdraw(ObjectKey key) {
    if (offers.remove(key) != null) {
      roomGrew();
    }
  }

  /** Whether there is an offer for the workload. */
  boolean isOffered(ObjectKey key) {
    return offers.containsKey(key);
  }

  /** How many have no offer and were not passed over. */
  int size() {
    return byDemand.values().stream().mapToInt(alike -> alike.members.size()).sum();
  }

  /** There is more room than before: all are to be tried again. */
  void roomGrew() {
    byDemand.values().forEach(alike -> alike.unfit = false);
    unfinished = true;
  }

  /** There is more cpu or memory on nodes without devices: those are tried that count it. */
  void usualRoomGrew() {
    byDemand.forEach((demand, alike) -> alike.unfit &= !demand.countsUsualResources());
    unfinished |= byDemand.values().stream().anyMatch(Alike::isToBeTried);
  }

  /** Whether there may be room for some that were not tried since it last grew. */
  boolean isUnfinished() {
    return unfinished;
  }

  /** When the next offer ends; empty if there is none. */
  Optional<Instant> nextEnd() {
    return offers.values().stream()
        .map(Offer::at)
        .min(Instant::compareTo)
        .map(at -> at.plus(OFFER));
  }

  /**
   * Ends offers whose time is over, and offers what is free to those that wait.
   *
   * @return those that have an offer now and had none before
   */
  List<ObjectKey> offer(Rooms rooms, Reservations reservations, Instant now) {
    offers.entrySet().stream()
        .filter(offer -> offer.getValue().isOver(now))
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::withdraw);
    if (!unfinished) {
      return List.of();
    }
    offers.values().forEach(offer -> reservations.take(offer.places));
    List<ObjectKey> woken = new ArrayList<>();
    Optional<Alike> next = next();
    for (int tries = 0; next.isPresent() && tries < MOST_TRIES; tries++) {
      Waiting waiting = next.get().members.first();
      lastTried = waiting;
      Optional<List<Place>> places = waiting.demand.place(rooms).map(Demand.Placed::places);
      if (places.isPresent()) {
        reservations.take(places.get());
        offers.put(waiting.key, new Offer(places.get(), now));
        all.getOrDefault(waiting.key, Map.of()).values().forEach(this::stepOut);
        woken.add(waiting.key);
      } else {
        next.get().unfit = true;
      }
      next = next();
    }
    unfinished = next.isPresent();
    if (!unfinished) {
      lastTried = null;
    }
    offers.values().forEach(offer -> reservations.give(offer.places));
    return woken;
  }

  /**
   * The longest waiting of those that were not tried, with those that are alike. One round goes
   * through all, also where room grows meanwhile: who comes after the last that was tried is next.
   */
  private Optional<Alike> next() {
    return byDemand.values().stream()
        .filter(Alike::isToBeTried)
        .min(
            Comparator.comparing((Alike alike) -> wasPassed(alike.members.first()))
                .thenComparing(alike -> alike.members.first(), LONGEST_FIRST));
  }

  private boolean wasPassed(Waiting waiting) {
    return lastTried != null && LONGEST_FIRST.compare(waiting, lastTried) <= 0;
  }
}
