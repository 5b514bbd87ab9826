// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.api.WithinClusterQueuePolicy;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.queue.PendingQueue;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The facts about one ClusterQueue that the {@link State} knows; belongs to the State's thread. */
final class ClusterQueueEntry {
  static final Health NOT_FOUND = new Health(false, "NotFound", "ClusterQueue not found");

  final String name;
  final PendingQueue pending;
  final QueueReasons reasons = new QueueReasons();

  /** Workloads that hold its quota. */
  final Map<ObjectKey, Candidate> holders = new LinkedHashMap<>();

  /** Null while there is no such object: Workloads may come before it or outlive it. */
  @Nullable ClusterQueue object;

  /** Its checks that are asked before quota. */
  Set<String> beforeQuota = Set.of();

  /** The refusal of a head that can never fit and that no other may pass; null if there is none. */
  Decision.@Nullable Inadmissible blockedForGood;

  QueueCounts counts = QueueCounts.none();

  /** Workloads that are in backoff, or wait for checks before quota. */
  int backoff;

  Health health = NOT_FOUND;

  /**
   * An entry without an object.
   *
   * @param waitingChanged called after every change that may have led to another head
   */
  ClusterQueueEntry(String name, Consumer<ClusterQueueEntry> waitingChanged) {
    this.name = name;
    this.pending = new PendingQueue(() -> waitingChanged.accept(this));
  }

  QueueCounts currentCounts() {
    return counts.withPending(pending.size(), backoff);
  }

  /** Whether no Workload passes its head. */
  boolean strict() {
    return object != null && object.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO);
  }

  /** Whether its Workloads may preempt others of equal priority that are newer. */
  boolean preemptsNewer() {
    return object != null
        && object
            .spec()
            .preemption()
            .withinClusterQueue()
            .equals(WithinClusterQueuePolicy.LOWER_OR_NEWER_EQUAL_PRIORITY);
  }

  /** What the condition Active says: also of an active queue that admits nothing. */
  Health reportedHealth() {
    Decision.Inadmissible refused = blockedForGood;
    return health.active()
            && refused != null
            && strict()
            && pending.blockingHeads().contains(refused.workload())
        ? health.blockedBy(refused.workload().key(), refused.reason())
        : health;
  }

  boolean forgettable() {
    return object == null && holders.isEmpty() && pending.size() == 0 && backoff == 0;
  }
}
