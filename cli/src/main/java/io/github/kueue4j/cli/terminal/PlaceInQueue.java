// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.observe.explain.WaitingOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The place of a Workload in its queues.
 *
 * @param key of the Workload
 * @param clusterQueue the name of its ClusterQueue; null if not all of its Workloads may be read
 * @param order of those of its ClusterQueue that may be read
 * @param index of the Workload among those that wait, from 0
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record PlaceInQueue(
    ObjectKey key, @Nullable String clusterQueue, WaitingOrder order, int index) {
  private static final int MOST_AHEAD = 10;

  /**
   * The place; empty if the Workload doesn't wait for quota.
   *
   * @param clusterQueue the name of its ClusterQueue; null if not all of its Workloads may be read
   */
  public static Optional<PlaceInQueue> of(
      Workload workload, @Nullable String clusterQueue, WaitingOrder order) {
    int index = order.waiting().stream().map(Workload::key).toList().indexOf(workload.key());
    return index < 0
        ? Optional.empty()
        : Optional.of(new PlaceInQueue(workload.key(), clusterQueue, order, index));
  }

  /** As text: the places, who is ahead, and what the objects don't tell. */
  public List<String> lines(Instant now) {
    List<Workload> all = order.waiting();
    String queueName = Objects.requireNonNullElse(all.get(index).spec().queueName(), "");
    List<Workload> ahead = all.subList(0, index);
    List<String> lines = new ArrayList<>();
    lines.add(
        key
            + ": "
            + (clusterQueue == null
                ? ""
                : "place " + (index + 1) + " of " + all.size() + " in cq/" + clusterQueue + ", ")
            + "place "
            + (sameQueue(ahead, queueName) + 1)
            + " of "
            + sameQueue(all, queueName)
            + " in lq/"
            + queueName);
    if (!ahead.isEmpty()) {
      lines.add(ahead.size() > MOST_AHEAD ? "Ahead of it, the first " + MOST_AHEAD : "Ahead of it");
      lines.addAll(QueuePage.places(ahead.subList(0, Math.min(MOST_AHEAD, ahead.size())), now));
    }
    if (clusterQueue == null) {
      lines.add(
          "Its place in the ClusterQueue can't be told: that needs list of workloads and localqueues"
              + " of all namespaces, and only those of "
              + key.namespace()
              + " can be read.");
    }
    lines.addAll(QueuePage.limits(order));
    return lines;
  }

  private long sameQueue(List<Workload> workloads, String queueName) {
    return workloads.stream()
        .filter(
            other ->
                other.key().namespace().equals(key.namespace())
                    && queueName.equals(other.spec().queueName()))
        .count();
  }
}
