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
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.Informer;
import io.github.kueue4j.runtime.KubernetesApi;
import io.github.kueue4j.runtime.ListOptions;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kueue4j queue list}: all ClusterQueues, and the LocalQueues of a namespace. */
@Command(
    name = "list",
    description =
        "Lists ClusterQueues, and the LocalQueues of a namespace: how many Workloads wait, hold"
            + " quota and are admitted, whether the queue is active, and why not.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR, ExitStatus.ENDED_BY_SIGINT})
final class QueueListCommand implements Callable<Integer> {
  @Mixin private ListFlags flags = new ListFlags();
  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    flags.check();
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    return KueueCluster.use(
        cluster, "this needs to list ClusterQueues and LocalQueues", on -> list(on, out));
  }

  private int list(ClusterConnection connection, PrintWriter out) throws InterruptedException {
    KubernetesApi api = connection.api();
    ListOptions where = flags.where(connection);
    Optional<String> objects =
        flags.objects(
            () ->
                Stream.concat(
                        stored(api, KueueTypes.CLUSTER_QUEUE, ListOptions.all()),
                        stored(api, KueueTypes.LOCAL_QUEUE, where))
                    .toList());
    if (objects.isPresent()) {
      out.print(objects.get());
    } else {
      try (ListedRows listed = new ListedRows(connection, out)) {
        ClusterQueueRows clusterQueues = new ClusterQueueRows(flags.wide());
        LocalQueueRows localQueues = new LocalQueueRows(flags.allNamespaces(), flags.wide());
        if (flags.watch()) {
          Informer<ClusterQueue> all = listed.informer(KueueTypes.CLUSTER_QUEUE, "");
          Informer<LocalQueue> here =
              listed.informer(KueueTypes.LOCAL_QUEUE, flags.namespace(connection));
          listed.watch(all, () -> clusterQueues, queue -> true);
          listed.watch(here, () -> localQueues, queue -> true);
          listed.untilInterrupted();
        } else {
          listed.print(
              api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items(), clusterQueues);
          listed.print(api.list(KueueTypes.LOCAL_QUEUE, where).items(), localQueues);
        }
      }
    }
    out.flush();
    return 0;
  }

  static Stream<StoredObject> stored(KubernetesApi api, ResourceType<?> type, ListOptions where) {
    return api.list(StoredObject.type(type), where).items().stream();
  }
}
