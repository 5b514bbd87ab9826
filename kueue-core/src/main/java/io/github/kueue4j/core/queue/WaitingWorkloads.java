// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import io.github.kueue4j.api.ObjectKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.apiguardian.api.API;

/**
 * The Workloads that wait in one ClusterQueue at one moment: an immutable value for other threads.
 *
 * @param byLocalQueue whether LocalQueues are served by their usage
 * @param preemptors the preempting Workloads, which precede all others
 * @param unordered the Workloads, in no particular order
 */
@API(status = API.Status.INTERNAL)
public record WaitingWorkloads(
    boolean byLocalQueue, Set<ObjectKey> preemptors, List<QueuedWorkload> unordered) {
  public WaitingWorkloads {
    preemptors = Set.copyOf(preemptors);
    unordered = List.copyOf(unordered);
  }

  /**
   * The order in which the queue serves them as long as usage stays as it is. Which of them are
   * inadmissible now doesn't count.
   *
   * @param usage of a LocalQueue, never NaN; called only if LocalQueues are served by usage
   */
  public List<QueuedWorkload> inOrder(ToDoubleFunction<ObjectKey> usage) {
    Comparator<QueuedWorkload> order = Comparator.naturalOrder();
    order =
        Comparator.<QueuedWorkload, Boolean>comparing(
                workload -> !preemptors.contains(workload.key()))
            .thenComparing(order);
    if (byLocalQueue) {
      Map<ObjectKey, Double> used = new HashMap<>();
      order =
          Comparator.<QueuedWorkload>comparingDouble(
                  workload -> used.computeIfAbsent(workload.localQueueKey(), usage::applyAsDouble))
              .thenComparing(order);
    }
    return unordered.stream().sorted(order).toList();
  }
}
