// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.gpu.fit.Packing;
import io.github.kueue4j.gpu.fit.Place;
import io.github.kueue4j.gpu.fit.PodGroup;
import io.github.kueue4j.gpu.fit.PodNeeds;
import io.github.kueue4j.gpu.fit.Rooms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Pods without a Workload that the scheduler may bind at any moment. Where there is room for one,
 * it is taken: the scheduler binds it before the pods of a workload that is let through now. Pods
 * of workloads aren't counted here, since reservations stand for them. Not safe for use by several
 * threads.
 *
 * <p>A pod that stays unbound although there has been room for it for so long is kept back by
 * something that isn't looked at, such as a volume: it takes no room any more.
 */
final class UnboundPods {

  /** How many kinds of pods are placed: anyone may create pods, which must not hold up answers. */
  private static final int MOST_KINDS = 64;

  private final Rooms rooms;
  private final Duration timeout;
  private final Predicate<UnboundPod> hasWorkload;

  private final Map<ObjectKey, UnboundPod> known = new TreeMap<>();

  /** Since when there has been room for a pod. */
  private final Map<ObjectKey, Instant> since = new HashMap<>();

  /** The workloads that had room for long enough. */
  private final Set<ObjectKey> over = new HashSet<>();

  private List<Place> places = List.of();

  /**
   * None yet.
   *
   * @param timeout for how long room is taken for one, positive
   * @param hasWorkload whether the pod belongs to a workload that is known
   */
  UnboundPods(Rooms rooms, Duration timeout, Predicate<UnboundPod> hasWorkload) {
    this.rooms = rooms;
    this.timeout = timeout;
    this.hasWorkload = hasWorkload;
  }

  /**
   * Replaces what is known of a pod.
   *
   * @return whether that may leave room to others
   */
  boolean put(ObjectKey key, @Nullable UnboundPod now) {
    @Nullable UnboundPod before = now == null ? known.remove(key) : known.put(key, now);
    if (before == null || before.equals(now)) {
      return false;
    }
    over.remove(key);
    return since.remove(key) != null;
  }

  /** Where room is taken. */
  List<Place> places() {
    return places;
  }

  /** Gives back the room that is taken, until it is taken anew. */
  void withdraw() {
    places.forEach(place -> rooms.give(place.node(), place.needs().requests(), place.count()));
    places = List.of();
  }

  /**
   * Takes room as far as there is some. Call {@link #withdraw} before.
   *
   * @return whether room has become free, since the time of a pod is over
   */
  boolean place(Instant now) {
    int before = over.size();
    Map<PodNeeds, List<ObjectKey>> kinds = new LinkedHashMap<>();
    for (UnboundPod pod : known.values()) {
      if (isCounted(pod, now)) {
        kinds.computeIfAbsent(pod.needs(), any -> new ArrayList<>()).add(pod.key());
      }
    }
    List<PodGroup> groups =
        kinds.entrySet().stream()
            .limit(MOST_KINDS)
            .map(kind -> new PodGroup("", kind.getKey(), kind.getValue().size()))
            .toList();
    places = new Packing(rooms, devices(groups)).placeMost(groups, List.of());
    places.forEach(place -> rooms.take(place.node(), place.needs().requests(), place.count()));
    kinds.forEach((needs, pods) -> note(pods, placed(needs), now));
    return over.size() > before;
  }

  private boolean isCounted(UnboundPod pod, Instant now) {
    ObjectKey key = pod.key();
    // A time of the future is from before the clock was set back.
    @Nullable Instant begin =
        since.computeIfPresent(key, (any, time) -> time.isAfter(now) ? now : time);
    if (begin != null && !now.isBefore(begin.plus(timeout))) {
      over.add(key);
    }
    if (over.contains(key) || hasWorkload.test(pod)) {
      since.remove(key);
      return false;
    }
    return true;
  }

  private int placed(PodNeeds needs) {
    return places.stream()
        .filter(place -> place.needs().equals(needs))
        .mapToInt(Place::count)
        .sum();
  }

  private void note(List<ObjectKey> pods, int placed, Instant now) {
    for (int i = 0; i < pods.size(); i++) {
      if (i < placed) {
        since.putIfAbsent(pods.get(i), now);
      } else {
        since.remove(pods.get(i));
      }
    }
  }

  private static List<String> devices(List<PodGroup> groups) {
    return groups.stream()
        .flatMap(group -> group.needs().requests().byName().keySet().stream())
        .filter(resource -> resource.contains("/"))
        .distinct()
        .sorted()
        .toList();
  }

  /** When the time of a pod is over next; empty if no room is taken. */
  Optional<Instant> nextLapse() {
    return since.values().stream().min(Instant::compareTo).map(begin -> begin.plus(timeout));
  }
}
