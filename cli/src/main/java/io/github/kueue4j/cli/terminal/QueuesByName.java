// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.terminal;

import io.github.kueue4j.api.Admission;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Finds the ClusterQueue of a Workload.
 *
 * @param clusterQueue by name; empty if it doesn't exist or may not be read
 * @param localQueue by namespace and name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record QueuesByName(
    Function<ObjectKey, Optional<ClusterQueue>> clusterQueue,
    Function<ObjectKey, Optional<LocalQueue>> localQueue) {
  /** Among objects that were read at one time. */
  public static QueuesByName among(List<ClusterQueue> clusterQueues, List<LocalQueue> localQueues) {
    Map<ObjectKey, ClusterQueue> byName =
        clusterQueues.stream().collect(Collectors.toMap(ClusterQueue::key, Function.identity()));
    Map<ObjectKey, LocalQueue> byKey =
        localQueues.stream().collect(Collectors.toMap(LocalQueue::key, Function.identity()));
    return new QueuesByName(
        key -> Optional.ofNullable(byName.get(key)), key -> Optional.ofNullable(byKey.get(key)));
  }

  /** The ClusterQueue whose quota the Workload holds or waits for. */
  public Optional<ClusterQueue> of(Workload workload) {
    return nameOf(workload).map(ObjectKey::cluster).flatMap(clusterQueue);
  }

  /** Its name: of the reservation, or else as the Workload's LocalQueue has it. */
  public Optional<String> nameOf(Workload workload) {
    Admission admission = workload.status().admission();
    return admission == null
        ? Optional.ofNullable(workload.spec().queueName())
            .map(name -> new ObjectKey(workload.key().namespace(), name))
            .flatMap(localQueue)
            .map(queue -> queue.spec().clusterQueue())
        : Optional.of(admission.clusterQueue());
  }
}
