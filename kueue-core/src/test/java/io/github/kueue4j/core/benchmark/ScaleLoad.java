// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.benchmark;

import io.github.kueue4j.api.ObjectKey;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * A large cluster in which Workloads finish all the time: how long each core that becomes free
 * stays unused, and how many are used again in a second. All Workloads ask for one core, and each
 * tree of Cohorts is full, so that a free core goes to the next reservation in its tree.
 *
 * <p>Time is what a State's thread with a processor of its own would see: it advances by the
 * processor time that the State takes, and to the next event when it has nothing to do. What
 * happens meanwhile is taken in at once before the next turn, as StateLoop does. So other programs
 * on the machine don't count, nor do pauses for the garbage collector.
 */
final class ScaleLoad {
  private final ScaleCluster cluster;
  private final Deque<ObjectKey> running;
  private final Set<ObjectKey> awake = new LinkedHashSet<>();

  /** When the cores became free that are not used again, by tree. */
  private final Map<Integer, Queue<Long>> free = new HashMap<>();

  private final List<Long> unused = new ArrayList<>();

  /** Until the present step of the State began, in nanoseconds; and the processor time then. */
  private long elapsed;

  private long stepBegan;
  private boolean quiet = true;

  /**
   * What came of a load.
   *
   * @param perSecond how many Workloads got quota
   * @param median the time for which a core stayed unused
   * @param p99 the same, exceeded by one of a hundred
   */
  record Outcome(double perSecond, Duration median, Duration p99) {}

  /**
   * A load of a cluster.
   *
   * @param running the Workloads that hold quota
   */
  ScaleLoad(ScaleCluster cluster, Collection<ObjectKey> running) {
    this.cluster = cluster;
    this.running = new ArrayDeque<>(running);
    cluster.whenWoken(this::woken);
  }

  /** Workloads finish one after the other at a steady pace, whatever the scheduler does. */
  Outcome steady(int perSecond, int count) {
    begin();
    int finished = 0;
    while (finished < count || !quiet || !awake.isEmpty()) {
      if (quiet && awake.isEmpty()) {
        elapsed = Math.max(elapsed, finished * 1_000_000_000L / perSecond);
      }
      takeInWrites();
      while (finished < count && finished * 1_000_000_000L / perSecond <= elapsed) {
        finish(finished++ * 1_000_000_000L / perSecond);
      }
      turn();
    }
    return outcome();
  }

  /** So many Workloads always finish at once, as soon as those before have been replaced. */
  Outcome most(int atOnce, int count) {
    begin();
    while (unused.size() < count) {
      takeInWrites();
      for (int i = 0; i < atOnce && quiet && !running.isEmpty(); i++) {
        finish(elapsed);
      }
      turn();
    }
    return outcome();
  }

  private void begin() {
    unused.clear();
    elapsed = 0;
  }

  private Outcome outcome() {
    List<Long> sorted = unused.stream().sorted().toList();
    return new Outcome(
        sorted.size() * 1e9 / elapsed,
        Duration.ofNanos(sorted.get(sorted.size() / 2)),
        Duration.ofNanos(sorted.get(sorted.size() * 99 / 100)));
  }

  /** The reservations that were decided before are written by now. */
  private void takeInWrites() {
    List<ObjectKey> reserved = List.copyOf(awake);
    awake.clear();
    for (ScaleCluster.Reserved written : cluster.carryOut(reserved)) {
      step(() -> written.tell(cluster.state()));
      running.add(written.reservation().key());
    }
  }

  private void finish(long when) {
    ObjectKey key = running.remove();
    free.computeIfAbsent(cluster.rootOf(cluster.workload(key)), root -> new ArrayDeque<>())
        .add(when);
    ScaleCluster.Event event = cluster.finish(key);
    step(() -> event.tell(cluster.state()));
  }

  private void turn() {
    step(() -> quiet = cluster.turn());
  }

  private void step(Runnable part) {
    stepBegan = processorTime();
    part.run();
    elapsed += processorTime() - stepBegan;
  }

  /** A reservation is to be written, or something that isn't measured. */
  private void woken(ObjectKey key) {
    if (cluster.reserves(key) && awake.add(key)) {
      Queue<Long> since = free.get(cluster.rootOf(cluster.workload(key)));
      if (since != null && !since.isEmpty()) {
        unused.add(elapsed + processorTime() - stepBegan - since.remove());
      }
    }
  }

  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
