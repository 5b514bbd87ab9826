// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.Amounts;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a {@link PendingQueue}, one for all of its Workloads or one for each LocalQueue, and
 * the shapes of these, which have the same standing in all lanes.
 */
final class Lanes {
  private static final ObjectKey ONLY_LANE = ObjectKey.cluster("");

  private final Map<ObjectKey, Lane> lanes = new HashMap<>();

  private final Map<SchedulingEquivalence, Shape> shapes = new HashMap<>();

  /** The shapes that aren't {@link Standing#UNTRIED}. */
  private final Set<Shape> tried = new LinkedHashSet<>();

  private boolean byLocalQueue;

  /** A shape that has Workloads. */
  private static final class Shape {
    final SchedulingEquivalence equivalence;
    Standing standing = Standing.UNTRIED;
    int workloads;

    Shape(SchedulingEquivalence equivalence) {
      this.equivalence = equivalence;
    }
  }

  boolean byLocalQueue() {
    return byLocalQueue;
  }

  /** Distributes all Workloads anew; shapes keep their standing. */
  void rebuild(boolean separate, Iterable<QueuedWorkload> workloads) {
    byLocalQueue = separate;
    lanes.clear();
    workloads.forEach(workload -> enter(workload, standing(workload.equivalence())));
  }

  /**
   * The Workload with the shape of those that are here: equal Workloads then share the memory of
   * their pod sets, and a shape is found without comparing these.
   */
  QueuedWorkload sharingShape(QueuedWorkload workload) {
    Shape shape = shapes.get(workload.equivalence());
    return shape == null ? workload : workload.withEquivalence(shape.equivalence);
  }

  /** Adds a Workload with the standing of its shape. */
  void add(QueuedWorkload workload) {
    Shape shape = shapes.computeIfAbsent(workload.equivalence(), Shape::new);
    shape.workloads++;
    enter(workload, shape.standing);
  }

  /** Replaces a Workload; if its shape is the same, that keeps its standing. */
  void replace(QueuedWorkload previous, QueuedWorkload workload) {
    if (previous.equivalence().equals(workload.equivalence())) {
      Standing standing = standing(workload.equivalence());
      leave(previous, standing);
      enter(workload, standing);
    } else {
      remove(previous);
      add(workload);
    }
  }

  void remove(QueuedWorkload workload) {
    Shape shape = shapes.get(workload.equivalence());
    if (shape == null) {
      return;
    }
    leave(workload, shape.standing);
    shape.workloads--;
    if (shape.workloads == 0) {
      shapes.remove(shape.equivalence);
      tried.remove(shape);
    }
  }

  private void enter(QueuedWorkload workload, Standing standing) {
    lanes.computeIfAbsent(key(workload), key -> new Lane()).add(workload, standing);
  }

  private void leave(QueuedWorkload workload, Standing standing) {
    ObjectKey key = key(workload);
    Lane lane = lanes.get(key);
    if (lane != null) {
      lane.remove(workload, standing);
      if (lane.isEmpty()) {
        lanes.remove(key);
      }
    }
  }

  Standing standing(SchedulingEquivalence equivalence) {
    Shape shape = shapes.get(equivalence);
    return shape == null ? Standing.UNTRIED : shape.standing;
  }

  /** Gives a shape that has Workloads another standing. */
  void move(SchedulingEquivalence equivalence, Standing to) {
    Shape shape = shapes.get(equivalence);
    if (shape == null || shape.standing == to) {
      return;
    }
    move(shape, to);
    if (to == Standing.UNTRIED) {
      tried.remove(shape);
    } else {
      tried.add(shape);
    }
  }

  private void move(Shape shape, Standing to) {
    lanes.values().forEach(lane -> lane.move(shape.equivalence, shape.standing, to));
    shape.standing = to;
  }

  /** Makes all shapes {@link Standing#UNTRIED}; false if they all were. */
  boolean reset() {
    boolean changes = !tried.isEmpty();
    tried.forEach(shape -> move(shape, Standing.UNTRIED));
    tried.clear();
    return changes;
  }

  /**
   * The first Workload of these standings, or the first of those {@code preferred} that are of one
   * of them and whose LocalQueue has used no more.
   *
   * @param usage of a LocalQueue; called only if each has a lane of its own
   */
  @Nullable QueuedWorkload first(
      Set<Standing> among,
      Collection<QueuedWorkload> preferred,
      ToDoubleFunction<ObjectKey> usage) {
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
    if (preferred.isEmpty()) {
      return best;
    }
    double lowest = least;
    return preferred.stream()
        .filter(workload -> among.contains(standing(workload.equivalence())))
        .filter(workload -> !byLocalQueue || usage.applyAsDouble(key(workload)) <= lowest)
        .min(Comparator.naturalOrder())
        .orElse(best);
  }

  /** Whether there is a Workload of this standing other than {@code workload}. */
  boolean anyBeside(QueuedWorkload workload, Standing standing) {
    Shape shape = shapes.get(workload.equivalence());
    return (shape != null && shape.standing == standing && shape.workloads > 1)
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

  /** The number of Workloads of a standing other than {@link Standing#UNTRIED}. */
  int count(Standing standing) {
    return tried.stream()
        .filter(shape -> shape.standing == standing)
        .mapToInt(shape -> shape.workloads)
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
