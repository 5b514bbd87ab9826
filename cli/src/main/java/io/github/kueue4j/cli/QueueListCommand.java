// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.cli.objects.StoredObject;
import io.github.kueue4j.cli.terminal.ClusterQueueRows;
import io.github.kueue4j.cli.terminal.LocalQueueRows;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.informer.Informer;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kueue4j queue list}: all ClusterQueues, and the LocalQueues of a namespace. */
@Command(
    name = "list",
    description =
        "Lists ClusterQueues, and the LocalQueues of a namespace: how many Workloads wait, hold"
            + " quota and are admitted, whether the queue is active, and why not.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR, ExitStatus.ENDED_BY_SIGINT})
final class QueueListCommand implements Callable<Integer> {
  @Mixin private ListFlags flags = new ListFlags();
  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    flags.check();
    return cluster.use(flags.namespaces().needs("this needs to list LocalQueues"), this::list);
  }

  private int list(ClusterConnection connection, PrintWriter out) throws InterruptedException {
    KubernetesApi api = connection.api();
    ListOptions where = flags.namespaces().where(connection);
    boolean shown = ClusterQueueRight.mayList(api);
    Optional<String> objects =
        flags.objects(
            () ->
                Stream.concat(
                        shown
                            ? stored(api, KueueTypes.CLUSTER_QUEUE, ListOptions.all())
                            : Stream.empty(),
                        stored(api, KueueTypes.LOCAL_QUEUE, where))
                    .toList());
    if (objects.isPresent()) {
      out.print(objects.get());
      noteUnless(shown);
    } else {
      try (ListedRows listed = new ListedRows(connection, out)) {
        ClusterQueueRows clusterQueues = new ClusterQueueRows(flags.wide());
        LocalQueueRows localQueues = new LocalQueueRows(flags.namespaces().all(), flags.wide());
        if (flags.watch()) {
          noteUnless(shown);
          if (shown) {
            Informer<ClusterQueue> all = listed.informer(KueueTypes.CLUSTER_QUEUE, "");
            listed.watch(all, () -> clusterQueues, queue -> true);
          }
          Informer<LocalQueue> here =
              listed.informer(KueueTypes.LOCAL_QUEUE, flags.namespaces().of(connection));
          listed.watch(here, () -> localQueues, queue -> true);
          listed.untilInterrupted();
        } else {
          List<LocalQueue> here = api.list(KueueTypes.LOCAL_QUEUE, where).items();
          if (shown) {
            listed.print(
                api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items(), clusterQueues);
          }
          listed.print(here, localQueues);
          noteUnless(shown);
        }
      }
    }
    return 0;
  }

  private void noteUnless(boolean shown) {
    if (!shown) {
      cluster.note(ClusterQueueRight.MISSING + "they aren't shown");
    }
  }

  static Stream<StoredObject> stored(KubernetesApi api, ResourceType<?> type, ListOptions where) {
    return api.list(type.as(StoredObject.class), where).items().stream();
  }
}
