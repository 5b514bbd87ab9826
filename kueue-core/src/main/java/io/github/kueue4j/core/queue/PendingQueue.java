/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads that wait in one ClusterQueue. Not thread-safe: it belongs to the State's thread.
 *
 * <p>Waiting Workloads are kept per {@link Shape}, and what was tried in vain is parked as a whole
 * shape: finding the head, parking and un-parking cost as much as there are shapes, however many
 * Workloads wait. A StrictFIFO queue parks as a whole, so that nothing passes its head.
 *
 * <p>With admission fair sharing each LocalQueue has a lane of its own, and the head is the first
 * of the lane whose LocalQueue has used least. Usage changes all the time, so lanes are compared
 * when a head is asked for and never sorted: that costs as much as there are LocalQueues, and no
 * order changes under a tree.
 */
@API(status = API.Status.INTERNAL)
public final class PendingQueue {
  private static final ObjectKey ONLY_LANE = ObjectKey.cluster("");

  private final Map<ObjectKey, QueuedWorkload> byKey = new HashMap<>();
  private final Map<ObjectKey, Lane> lanes = new HashMap<>();

  /** Where shapes are that aren't {@link Place#OPEN}. */
  private final Map<Shape, Place> places = new HashMap<>();

  private boolean byLocalQueue;

  /** The refused head of a StrictFIFO queue: nothing is tried while it is the head. */
  private @Nullable QueuedWorkload blockedBy;

  /** The one for which its scope was refused: nothing is tried there while it is the first. */
  private @Nullable QueuedWorkload refusedOutside;

  /** The one that goes before all others: it has others evicted. */
  private @Nullable ObjectKey preemptor;

  /** What is known of the Workloads of a shape. */
  private enum Place {
    /** Worth a try. */
    OPEN,
    /** Doesn't fit into the queue's own quota, and waits for its scope. */
    OUTSIDE,
    /** Was tried in vain. */
    PARKED
  }

  /** Those that are served by priority and age among themselves. */
  private static final class Lane {
    final Map<Shape, NavigableSet<QueuedWorkload>> byShape = new HashMap<>();

    /** The first of every shape, by place. */
    private final Map<Place, NavigableSet<QueuedWorkload>> heads = new EnumMap<>(Place.class);

    Lane() {
      for (Place place : Place.values()) {
        heads.put(place, new TreeSet<>());
      }
    }

    @Nullable QueuedWorkload first(Place place) {
      NavigableSet<QueuedWorkload> firsts = heads(place);
      return firsts.isEmpty() ? null : firsts.first();
    }

    private NavigableSet<QueuedWorkload> heads(Place place) {
      return Objects.requireNonNull(heads.get(place));
    }

    NavigableSet<QueuedWorkload> ofShape(Shape shape) {
      return byShape.getOrDefault(shape, Collections.emptyNavigableSet());
    }

    void add(QueuedWorkload workload, Place place) {
      NavigableSet<QueuedWorkload> equals =
          byShape.computeIfAbsent(workload.shape(), shape -> new TreeSet<>());
      withdrawHead(equals, place);
      equals.add(workload);
      heads(place).add(equals.first());
    }

    void remove(QueuedWorkload workload, Place place) {
      NavigableSet<QueuedWorkload> equals = ofShape(workload.shape());
      withdrawHead(equals, place);
      equals.remove(workload);
      if (equals.isEmpty()) {
        byShape.remove(workload.shape());
      } else {
        heads(place).add(equals.first());
      }
    }

    void move(Shape shape, Place from, Place to) {
      NavigableSet<QueuedWorkload> equals = ofShape(shape);
      if (!equals.isEmpty()) {
        withdrawHead(equals, from);
        heads(to).add(equals.first());
      }
    }

    private void withdrawHead(NavigableSet<QueuedWorkload> equals, Place place) {
      if (!equals.isEmpty()) {
        heads(place).remove(equals.first());
      }
    }
  }

  /**
   * Serves by LocalQueue, or all in one line.
   *
   * @param apart whether each LocalQueue has a lane of its own
   */
  public void serveByLocalQueue(boolean apart) {
    if (byLocalQueue == apart) {
      return;
    }
    byLocalQueue = apart;
    lanes.clear();
    byKey.values().forEach(this::line);
  }

  public boolean servesByLocalQueue() {
    return byLocalQueue;
  }

  /**
   * Adds a Workload, or moves it to where it belongs now. It is parked if its shape was tried in
   * vain, as nothing has changed for it since.
   */
  public void put(QueuedWorkload workload) {
    QueuedWorkload previous = byKey.get(workload.key());
    if (workload.equals(previous)) {
      return;
    }
    Place place =
        previous != null && previous.shape().equals(workload.shape())
            ? place(workload.shape())
            : Place.OPEN;
    take(workload.key());
    if (place != Place.OPEN) {
      places.put(workload.shape(), place);
    }
    byKey.put(workload.key(), workload);
    line(workload);
  }

  /** Removes a Workload; false if it didn't wait here. */
  public boolean remove(ObjectKey key) {
    notFirst(key);
    return take(key);
  }

  private void line(QueuedWorkload workload) {
    lanes.computeIfAbsent(lane(workload), key -> new Lane()).add(workload, place(workload.shape()));
  }

  private boolean take(ObjectKey key) {
    QueuedWorkload workload = byKey.remove(key);
    if (workload == null) {
      return false;
    }
    ObjectKey name = lane(workload);
    Lane lane = lanes.get(name);
    if (lane != null) {
      lane.remove(workload, place(workload.shape()));
      if (lane.byShape.isEmpty()) {
        lanes.remove(name);
      }
    }
    if (equivalents(workload.shape()) == 0) {
      places.remove(workload.shape());
    }
    return true;
  }

  private Place place(Shape shape) {
    return places.getOrDefault(shape, Place.OPEN);
  }

  private ObjectKey lane(QueuedWorkload workload) {
    return byLocalQueue ? workload.localQueueKey() : ONLY_LANE;
  }

  /** The Workload to try next; empty when everything that waits is parked. */
  public Optional<QueuedWorkload> head() {
    return head(localQueue -> 0);
  }

  /**
   * The Workload to try next; empty when everything that waits is parked.
   *
   * @param usage of a LocalQueue; asked only where LocalQueues are served apart, never NaN
   */
  public Optional<QueuedWorkload> head(ToDoubleFunction<ObjectKey> usage) {
    return first(usage).filter(first -> !first.equals(blockedBy));
  }

  /** The one that all wait for in a StrictFIFO queue, be it inside or outside; not a parked one. */
  public Optional<QueuedWorkload> first(ToDoubleFunction<ObjectKey> usage) {
    return first(usage, EnumSet.of(Place.OPEN, Place.OUTSIDE));
  }

  /** The first of those of which nobody knows whether they fit into the queue's own quota. */
  public Optional<QueuedWorkload> firstOpen(ToDoubleFunction<ObjectKey> usage) {
    return first(usage, EnumSet.of(Place.OPEN));
  }

  /** The first of those that don't fit into the queue's own quota. */
  public Optional<QueuedWorkload> firstOutside(ToDoubleFunction<ObjectKey> usage) {
    return first(usage, EnumSet.of(Place.OUTSIDE));
  }

  private Optional<QueuedWorkload> first(ToDoubleFunction<ObjectKey> usage, Set<Place> among) {
    QueuedWorkload best = null;
    double least = Double.POSITIVE_INFINITY;
    for (Map.Entry<ObjectKey, Lane> lane : lanes.entrySet()) {
      double used = byLocalQueue ? usage.applyAsDouble(lane.getKey()) : 0;
      for (Place place : among) {
        QueuedWorkload first = lane.getValue().first(place);
        if (first != null) {
          int order = Double.compare(used, least);
          if (best == null || order < 0 || (order == 0 && first.compareTo(best) < 0)) {
            best = first;
            least = used;
          }
        }
      }
    }
    QueuedWorkload first = preemptor == null ? null : byKey.get(preemptor);
    boolean goesFirst =
        first != null
            && among.contains(place(first.shape()))
            && (!byLocalQueue || usage.applyAsDouble(lane(first)) <= least);
    return Optional.ofNullable(goesFirst ? first : best);
  }

  /**
   * Lets a Workload that has others evicted go before all others (of LocalQueues that have used as
   * much), so that nobody takes what its victims let go of and they are evicted over and over;
   * until it waits no longer or {@link #notFirst}.
   */
  public void putFirst(QueuedWorkload workload) {
    preemptor = workload.key();
  }

  /**
   * Those that were refused and that others must not pass meanwhile: the head of a queue in which
   * nothing passes it, a preemptor, the first of a scope.
   */
  public List<QueuedWorkload> standing() {
    List<QueuedWorkload> standing = new ArrayList<>();
    for (QueuedWorkload workload : Arrays.asList(blockedBy, refusedOutside)) {
      if (workload != null
          && workload.equals(byKey.get(workload.key()))
          && !standing.contains(workload)) {
        standing.add(workload);
      }
    }
    return standing;
  }

  /** Ends {@link #parkAll} and {@link #refuseOutside} for this one: it is in nobody's way. */
  public void standDown(QueuedWorkload workload) {
    if (workload.equals(blockedBy)) {
      blockedBy = null;
    }
    if (workload.equals(refusedOutside)) {
      refusedOutside = null;
    }
  }

  /** Ends {@link #putFirst} for this one. */
  public void notFirst(ObjectKey key) {
    if (key.equals(preemptor)) {
      preemptor = null;
    }
  }

  /** Parks what has the shape of {@code workload} until {@link #unpark}. */
  public void parkShape(QueuedWorkload workload) {
    move(workload.shape(), Place.PARKED);
  }

  /**
   * Notes that what has the shape of {@code workload} doesn't fit into the queue's own quota, until
   * {@link #unpark}: more of it gets free only then.
   */
  public void putOutside(QueuedWorkload workload) {
    move(workload.shape(), Place.OUTSIDE);
  }

  public boolean isOutside(QueuedWorkload workload) {
    return place(workload.shape()) == Place.OUTSIDE;
  }

  private void move(Shape shape, Place to) {
    Place from = place(shape);
    if (from != to && equivalents(shape) > 0) {
      lanes.values().forEach(lane -> lane.move(shape, from, to));
      if (to == Place.OPEN) {
        places.remove(shape);
      } else {
        places.put(shape, to);
      }
    }
  }

  /**
   * Parks everything, now and to come, until {@link #unpark} or until another one is the head: what
   * all wait for in a StrictFIFO queue is its head.
   *
   * @param head that was refused
   */
  public void parkAll(QueuedWorkload head) {
    blockedBy = head;
  }

  /** Whether this is the refused head of a StrictFIFO queue, for which nothing has changed. */
  public boolean isBlockedBy(QueuedWorkload workload) {
    return workload.equals(blockedBy);
  }

  /** Notes that {@code workload} was refused as the first of its scope, until {@link #unpark}. */
  public void refuseOutside(QueuedWorkload workload) {
    refusedOutside = workload;
  }

  /** Whether this one was refused as the first of its scope, and nothing has changed since. */
  public boolean isRefusedOutside(QueuedWorkload workload) {
    return workload.equals(refusedOutside);
  }

  /** Makes everything worth a try again; false if nothing was parked. */
  public boolean unpark() {
    boolean changed = blockedBy != null || refusedOutside != null || !places.isEmpty();
    blockedBy = null;
    refusedOutside = null;
    Set.copyOf(places.keySet()).forEach(shape -> move(shape, Place.OPEN));
    return changed;
  }

  public @Nullable QueuedWorkload get(ObjectKey key) {
    return byKey.get(key);
  }

  public Collection<QueuedWorkload> workloads() {
    return byKey.values();
  }

  /** Those that ask for the same, {@code workload} included; read it before anything changes. */
  public Stream<QueuedWorkload> equivalentTo(QueuedWorkload workload) {
    return lanes.values().stream().flatMap(lane -> lane.ofShape(workload.shape()).stream());
  }

  private int equivalents(Shape shape) {
    return lanes.values().stream().mapToInt(lane -> lane.ofShape(shape).size()).sum();
  }

  public int size() {
    return byKey.size();
  }

  /** What all that wait ask for together; costs as much as there are shapes. */
  public Amounts<String> requests() {
    Amounts<String> sum = Amounts.none();
    for (Lane lane : lanes.values()) {
      for (Map.Entry<Shape, NavigableSet<QueuedWorkload>> equals : lane.byShape.entrySet()) {
        for (PodSetDemand podSet : equals.getKey().podSets()) {
          sum = sum.plus(podSet.perPod().times(podSet.count()).times(equals.getValue().size()));
        }
      }
    }
    return sum;
  }

  /** How many of the waiting were tried in vain, themselves or one of their shape. */
  public int inadmissible() {
    return blocked()
        ? byKey.size()
        : places.entrySet().stream()
            .filter(entry -> entry.getValue() == Place.PARKED)
            .mapToInt(entry -> equivalents(entry.getKey()))
            .sum();
  }

  /**
   * Those that wait for their scope, as what they ask for doesn't fit into the queue's own quota.
   */
  public Stream<QueuedWorkload> outside() {
    return byKey.values().stream().filter(this::isOutside);
  }

  private boolean blocked() {
    return blockedBy != null && blockedBy.equals(byKey.get(blockedBy.key()));
  }
}
