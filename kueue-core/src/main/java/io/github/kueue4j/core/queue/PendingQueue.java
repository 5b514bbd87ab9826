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
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads that wait in one ClusterQueue. Not thread-safe: it belongs to the State's thread.
 *
 * <p>Waiting Workloads are kept per {@link Shape}, and what was tried in vain is parked as a whole
 * shape: finding the head, parking and un-parking cost as much as there are shapes, however many
 * Workloads wait. A StrictFIFO queue parks as a whole, so that nothing passes its head.
 */
@API(status = API.Status.INTERNAL)
public final class PendingQueue {
  private final Map<ObjectKey, QueuedWorkload> byKey = new HashMap<>();
  private final Map<Shape, NavigableSet<QueuedWorkload>> byShape = new HashMap<>();

  /** The first of every shape that isn't parked. */
  private final TreeMap<QueuedWorkload, Shape> heads = new TreeMap<>();

  private final Set<Shape> parked = new HashSet<>();
  private boolean allParked;

  /**
   * Adds a Workload, or moves it to where it belongs now. It is parked if its shape was tried in
   * vain, as nothing has changed for it since.
   */
  public void put(QueuedWorkload workload) {
    QueuedWorkload previous = byKey.get(workload.key());
    if (workload.equals(previous)) {
      return;
    }
    QueuedWorkload first = first();
    boolean staysParked =
        previous != null
            && previous.shape().equals(workload.shape())
            && parked.contains(workload.shape());
    take(workload.key());
    if (staysParked) {
      parked.add(workload.shape());
    }
    byKey.put(workload.key(), workload);
    NavigableSet<QueuedWorkload> equals =
        byShape.computeIfAbsent(workload.shape(), shape -> new TreeSet<>());
    withdrawHead(equals);
    equals.add(workload);
    offerHead(workload.shape(), equals);
    unparkBehindAnother(first);
  }

  /** Removes a Workload; false if it didn't wait here. */
  public boolean remove(ObjectKey key) {
    QueuedWorkload first = first();
    boolean removed = take(key);
    unparkBehindAnother(first);
    return removed;
  }

  private @Nullable QueuedWorkload first() {
    return heads.isEmpty() ? null : heads.firstKey();
  }

  /** What all wait for in a StrictFIFO queue is its head: another one was not tried yet. */
  private void unparkBehindAnother(@Nullable QueuedWorkload previous) {
    if (allParked && !Objects.equals(previous, first())) {
      allParked = false;
    }
  }

  private boolean take(ObjectKey key) {
    QueuedWorkload workload = byKey.remove(key);
    if (workload == null) {
      return false;
    }
    NavigableSet<QueuedWorkload> equals = byShape.get(workload.shape());
    if (equals != null) {
      withdrawHead(equals);
      equals.remove(workload);
      offerHead(workload.shape(), equals);
      if (equals.isEmpty()) {
        byShape.remove(workload.shape());
        parked.remove(workload.shape());
      }
    }
    return true;
  }

  /** The Workload to try next; empty when everything that waits is parked. */
  public Optional<QueuedWorkload> head() {
    return allParked || heads.isEmpty() ? Optional.empty() : Optional.of(heads.firstKey());
  }

  /** Parks what has the shape of {@code workload} until {@link #unpark}. */
  public void parkShape(QueuedWorkload workload) {
    NavigableSet<QueuedWorkload> equals = byShape.get(workload.shape());
    if (equals != null && parked.add(workload.shape())) {
      withdrawHead(equals);
    }
  }

  /** Parks everything, now and to come, until {@link #unpark}. */
  public void parkAll() {
    allParked = true;
  }

  /** Makes everything worth a try again; false if nothing was parked. */
  public boolean unpark() {
    boolean changed = allParked || !parked.isEmpty();
    allParked = false;
    Set<Shape> woken = Set.copyOf(parked);
    parked.clear();
    woken.forEach(shape -> offerHead(shape, byShape.get(shape)));
    return changed;
  }

  public @Nullable QueuedWorkload get(ObjectKey key) {
    return byKey.get(key);
  }

  public Collection<QueuedWorkload> workloads() {
    return byKey.values();
  }

  /** Those that ask for the same, {@code workload} included. */
  public Collection<QueuedWorkload> equivalentTo(QueuedWorkload workload) {
    return byShape.getOrDefault(workload.shape(), Collections.emptyNavigableSet());
  }

  public int size() {
    return byKey.size();
  }

  /** How many of the waiting were tried in vain, themselves or one of their shape. */
  public int inadmissible() {
    if (allParked) {
      return byKey.size();
    }
    return parked.stream()
        .mapToInt(shape -> byShape.getOrDefault(shape, new TreeSet<>()).size())
        .sum();
  }

  private void withdrawHead(NavigableSet<QueuedWorkload> equals) {
    if (!equals.isEmpty()) {
      heads.remove(equals.first());
    }
  }

  private void offerHead(Shape shape, @Nullable NavigableSet<QueuedWorkload> equals) {
    if (equals != null && !equals.isEmpty() && !parked.contains(shape)) {
      heads.put(equals.first(), shape);
    }
  }
}
