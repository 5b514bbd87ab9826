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
import io.github.kueue4j.core.explain.WaitingOrder;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.ListOptions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
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
        "this needs to read queues, and to list AdmissionChecks, LocalQueues and Workloads",
        (connection, out) -> {
          page(connection.api(), argument.find(connection)).forEach(out::println);
          return 0;
        });
  }

  private static List<String> page(KubernetesApi api, ApiObject queue) {
    Instant now = TimeSource.wallClock().instant();
    if (queue instanceof LocalQueue local) {
      Optional<WaitingOrder> order =
          Optional.ofNullable(local.spec().clusterQueue())
              .flatMap(name -> api.get(KueueTypes.CLUSTER_QUEUE, ObjectKey.cluster(name)))
              .map(clusterQueue -> order(api, clusterQueue));
      return QueuePage.of(local, order, now);
    }
    ClusterQueue clusterQueue = (ClusterQueue) queue;
    Map<String, AdmissionCheck> checks =
        api.list(KueueTypes.ADMISSION_CHECK, ListOptions.all()).items().stream()
            .collect(Collectors.toMap(check -> check.key().name(), Function.identity()));
    return QueuePage.of(clusterQueue, checks, order(api, clusterQueue), now);
  }

  private static WaitingOrder order(KubernetesApi api, ClusterQueue queue) {
    return WaitingOrder.of(queue, new QueueSwitch(queue, api).workloads());
  }
}
