// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.status.Health;
import io.github.kueue4j.core.status.QueueCounts;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The facts about one LocalQueue that the {@link State} knows; belongs to the State's thread. */
final class LocalQueueEntry {
  final ObjectKey key;

  /** Workloads that name it. */
  final Set<ObjectKey> members = new LinkedHashSet<>();

  /** Null while there is no such object. */
  @Nullable LocalQueue object;

  int pending;

  /** Workloads of its ClusterQueue that are in backoff. */
  int backoff;

  QueueCounts counts = QueueCounts.none();

  LocalQueueEntry(ObjectKey key) {
    this.key = key;
  }

  /** The ClusterQueue that Workloads get into here; empty if nothing gets in. */
  Optional<String> target() {
    LocalQueue queue = object;
    return queue == null
            || queue.spec().clusterQueue() == null
            || Health.terminating(queue)
            || Health.stopped(queue.spec().stopPolicy())
        ? Optional.empty()
        : Optional.of(queue.spec().clusterQueue());
  }

  QueueCounts currentCounts() {
    return counts.withPending(pending, backoff);
  }
}
