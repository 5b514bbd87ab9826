// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.ApiObject;
import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.terminal.QueuePage;
import io.github.kueue4j.observe.explain.WaitingOrder;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kueue4j queue show}: one queue on a screen. */
@Command(
    name = "show",
    description =
        "Shows one queue: quota and its use, admission checks, who waits in which order, conditions.")
final class QueueShowCommand implements Callable<Integer> {
  @Mixin private QueueArgument argument = new QueueArgument();
  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "a LocalQueue needs get of it and list of Workloads in the namespace; a ClusterQueue needs"
            + " get of it, and list of AdmissionChecks, LocalQueues and Workloads in the cluster",
        (connection, out) -> {
          page(connection.api(), argument.find(connection)).forEach(out::println);
          return 0;
        });
  }

  private List<String> page(KubernetesApi api, ApiObject queue) {
    Instant now = TimeSource.wallClock().instant();
    if (queue instanceof LocalQueue local) {
      return QueuePage.of(local, order(api, local), now);
    }
    ClusterQueue clusterQueue = (ClusterQueue) queue;
    Map<String, AdmissionCheck> checks =
        api.list(KueueTypes.ADMISSION_CHECK, ListOptions.all()).items().stream()
            .collect(Collectors.toMap(check -> check.key().name(), Function.identity()));
    return QueuePage.of(clusterQueue, checks, order(api, clusterQueue, clusterQueue), now);
  }

  /** The order of a LocalQueue's own Workloads; empty if there is no ClusterQueue. */
  private Optional<WaitingOrder> order(KubernetesApi api, LocalQueue queue) {
    Optional<ClusterQueue> clusterQueue;
    try {
      clusterQueue =
          Optional.ofNullable(queue.spec().clusterQueue())
              .flatMap(name -> api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name)));
    } catch (KubernetesApiException.Forbidden e) {
      cluster.note(ClusterQueueRight.MISSING_GET + "only what the LocalQueue says is shown");
      return Optional.of(order(api, queue, null));
    }
    return clusterQueue.map(found -> order(api, queue, found));
  }

  private static WaitingOrder order(
      KubernetesApi api, ApiObject queue, @Nullable ClusterQueue clusterQueue) {
    return WaitingOrder.of(clusterQueue, new QueueSwitch(queue, api).workloads());
  }
}
