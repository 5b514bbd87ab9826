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
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.queue.PendingQueue;
import io.github.kueue4j.core.queue.Shape;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the {@link State} knows of one ClusterQueue; belongs to the State's thread. */
final class ClusterQueueEntry {
  static final Health NOT_FOUND = new Health(false, "NotFound", "ClusterQueue not found");

  final String name;
  final PendingQueue pending = new PendingQueue();

  /** Workloads that hold its quota. */
  final Map<ObjectKey, Candidate> holders = new LinkedHashMap<>();

  /** Null while there is no such object: Workloads may come before it or outlive it. */
  @Nullable ClusterQueue object;

  QueueCounts counts = QueueCounts.none();
  Health health = NOT_FOUND;

  /** What those are told whose shape was refused. */
  final Map<Shape, WaitingNotices.Refusal> refusals = new HashMap<>();

  /** What those behind a refused head of a StrictFIFO queue are told; null if none was refused. */
  WaitingNotices.@Nullable Refusal blocked;

  /** What those are told that wait for their scope; null if nobody holds it up. */
  WaitingNotices.@Nullable Refusal behindInScope;

  ClusterQueueEntry(String name) {
    this.name = name;
  }

  QueueCounts currentCounts() {
    return counts.withPending(pending.size());
  }

  /** Whether nothing passes its head. */
  boolean strict() {
    return object != null && object.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO);
  }

  boolean forgettable() {
    return object == null && holders.isEmpty() && pending.size() == 0;
  }
}
