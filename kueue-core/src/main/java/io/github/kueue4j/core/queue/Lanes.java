// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a {@link PendingQueue}, one for all of its Workloads or one for each LocalQueue, and
 * the standings of their shapes, which are the same in all lanes.
 */
final class Lanes {
  private static final ObjectKey ONLY_LANE = ObjectKey.cluster("");

  private final Map<ObjectKey, Lane> lanes = new HashMap<>();

  /** Of shapes that aren't {@link Standing#UNTRIED}. */
  private final Map<SchedulingEquivalence, Standing> standings = new HashMap<>();

  private boolean byLocalQueue;

  boolean byLocalQueue() {
    return byLocalQueue;
  }

  /** Distributes all Workloads anew; shapes keep their standing. */
  void rebuild(boolean separate, Iterable<QueuedWorkload> workloads) {
    byLocalQueue = separate;
    lanes.clear();
    workloads.forEach(this::add);
  }

  /** Adds a Workload with the standing of its shape. */
  void add(QueuedWorkload workload) {
    lanes
        .computeIfAbsent(key(workload), key -> new Lane())
        .add(workload, standing(workload.equivalence()));
  }

  /** Replaces a Workload; if its shape is the same, that keeps its standing. */
  void replace(QueuedWorkload previous, QueuedWorkload workload) {
    Standing standing = standing(previous.equivalence());
    remove(previous);
    if (standing != Standing.UNTRIED && previous.equivalence().equals(workload.equivalence())) {
      standings.put(workload.equivalence(), standing);
    }
    add(workload);
  }

  void remove(QueuedWorkload workload) {
    ObjectKey key = key(workload);
    Lane lane = lanes.get(key);
    if (lane != null) {
      lane.remove(workload, standing(workload.equivalence()));
      if (lane.isEmpty()) {
        lanes.remove(key);
      }
    }
    if (count(workload.equivalence()) == 0) {
      standings.remove(workload.equivalence());
    }
  }

  Standing standing(SchedulingEquivalence shape) {
    return standings.getOrDefault(shape, Standing.UNTRIED);
  }

  /** Gives a shape that has Workloads another standing. */
  void move(SchedulingEquivalence shape, Standing to) {
    Standing from = standing(shape);
    if (from != to && count(shape) > 0) {
      lanes.values().forEach(lane -> lane.move(shape, from, to));
      if (to == Standing.UNTRIED) {
        standings.remove(shape);
      } else {
        standings.put(shape, to);
      }
    }
  }

  /** Makes all shapes {@link Standing#UNTRIED}; false if they all were. */
  boolean reset() {
    Set<SchedulingEquivalence> tried = Set.copyOf(standings.keySet());
    tried.forEach(shape -> move(shape, Standing.UNTRIED));
    return !tried.isEmpty();
  }

  /**
   * The first Workload of these standings, unless {@code preferred} is of one of them and its
   * LocalQueue has used no more.
   *
   * @param usage of a LocalQueue; called only if each has a lane of its own
   */
  @Nullable QueuedWorkload first(
      Set<Standing> among, @Nullable QueuedWorkload preferred, ToDoubleFunction<ObjectKey> usage) {
    QueuedWorkload best = null;
    double least = Double.POSITIVE_INFINITY;
    for (Map.Entry<ObjectKey, Lane> lane : lanes.entrySet()) {
      double used = byLocalQueue ? usage.applyAsDouble(lane.getKey()) : 0;
      for (Standing standing : among) {
        QueuedWorkload first = lane.getValue().first(standing);
        if (first != null) {
          int order = Double.compare(used, least);
          if (best == null || order < 0 || (order == 0 && first.compareTo(best) < 0)) {
            best = first;
            least = used;
          }
        }
      }
    }
    boolean goesFirst =
        preferred != null
            && among.contains(standing(preferred.equivalence()))
            && (!byLocalQueue || usage.applyAsDouble(key(preferred)) <= least);
    return goesFirst ? preferred : best;
  }

  /** Whether there is a Workload of this standing other than {@code workload}. */
  boolean anyBeside(QueuedWorkload workload, Standing standing) {
    return (standing(workload.equivalence()) == standing && count(workload.equivalence()) > 1)
        || lanes.values().stream().anyMatch(lane -> lane.hasFirstBeside(workload, standing));
  }

  /** The Workloads of a shape; a lazy stream to be read before anything changes. */
  Stream<QueuedWorkload> ofShape(SchedulingEquivalence shape) {
    return lanes.values().stream().flatMap(lane -> lane.equivalents(shape).stream());
  }

  /** Whether no other Workload of its shape precedes a Workload, in any lane. */
  boolean isFirstOfShape(QueuedWorkload workload) {
    return lanes.values().stream()
        .map(lane -> lane.equivalents(workload.equivalence()))
        .allMatch(equals -> equals.isEmpty() || workload.compareTo(equals.first()) <= 0);
  }

  private int count(SchedulingEquivalence shape) {
    return lanes.values().stream().mapToInt(lane -> lane.equivalents(shape).size()).sum();
  }

  /** The number of Workloads of a standing other than {@link Standing#UNTRIED}. */
  int count(Standing standing) {
    return standings.entrySet().stream()
        .filter(entry -> entry.getValue() == standing)
        .mapToInt(entry -> count(entry.getKey()))
        .sum();
  }

  /** The sum of all requests; takes time in proportion to the number of shapes. */
  Amounts<String> requests() {
    return lanes.values().stream().map(Lane::requests).reduce(Amounts.none(), Amounts::plus);
  }

  private ObjectKey key(QueuedWorkload workload) {
    return byLocalQueue ? workload.localQueueKey() : ONLY_LANE;
  }
}
