// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ResourceVersions;
import io.github.kueue4j.api.Uids;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.lifecycle.Phase;
import io.github.kueue4j.core.queue.QueueOrder;
import io.github.kueue4j.core.queue.QueuedWorkload;
import io.github.kueue4j.core.status.SwitchedOff;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads that wait for quota of a ClusterQueue, in its order as far as the objects tell: by
 * priority, then by the time since when each queues. The core compares them in the same way.
 *
 * <p>What the core keeps in memory is unknown here: which Workload preempts and therefore precedes
 * all others, which shapes were refused, and, where past usage orders the LocalQueues, the usage
 * since it was last written. Priority boosts, and a configuration by which Workloads keep their
 * place after a pods-ready timeout, don't count either.
 *
 * @param queue the ClusterQueue; null if it may not be read
 * @param waiting the Workloads in order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WaitingOrder(@Nullable ClusterQueue queue, List<Workload> waiting) {
  public WaitingOrder {
    waiting = List.copyOf(waiting);
  }

  /**
   * Orders those of the Workloads that wait.
   *
   * @param queue the ClusterQueue; null if it may not be read
   * @param workloads of this ClusterQueue, in any phase and order
   */
  public static WaitingOrder of(@Nullable ClusterQueue queue, List<Workload> workloads) {
    return new WaitingOrder(
        queue,
        workloads.stream()
            .filter(workload -> workload.metadata().getDeletionTimestamp() == null)
            .filter(workload -> Explain.phase(workload, queue) == Phase.QUEUED)
            .sorted(Comparator.comparing(WaitingOrder::queued))
            .toList());
  }

  /** Whether past usage of LocalQueues decides first, by the ClusterQueue's own scope, if known. */
  public boolean byPastUsage() {
    return queue != null
        && SwitchedOff.isByUsage(queue.spec().admissionScope())
        && ineffectiveScope().isEmpty();
  }

  /** Why an admission scope has no effect, as a sentence without its period, if one hasn't. */
  public Optional<String> ineffectiveScope() {
    return Optional.ofNullable(queue).flatMap(SwitchedOff::scopeOf);
  }

  /** Its requests are left out: they don't matter for the order, and may be invalid. */
  private static QueuedWorkload queued(Workload workload) {
    return QueuedWorkload.of(
            workload.key(),
            Uids.of(workload),
            Objects.requireNonNullElse(workload.spec().queueName(), ""),
            Objects.requireNonNullElse(workload.spec().priority(), 0),
            QueueOrder.queuedSince(workload, false),
            List.of())
        .firstSeenIn(ResourceVersions.number(workload).orElse(0));
  }
}
