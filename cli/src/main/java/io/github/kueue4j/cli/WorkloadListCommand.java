// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.objects.StoredObject;
import io.github.kueue4j.cli.terminal.ListedPhase;
import io.github.kueue4j.cli.terminal.QueuesByName;
import io.github.kueue4j.cli.terminal.WorkloadRows;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.runtime.informer.Informer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kueue4j workload list}: the Workloads of a namespace, a queue or a phase. */
@Command(
    name = "list",
    description =
        "Lists Workloads with their owner, queues, phase and priority. 'explain NAME' says why one"
            + " of them doesn't run.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR, ExitStatus.ENDED_BY_SIGINT})
final class WorkloadListCommand implements Callable<Integer> {
  private static final String CLUSTER_QUEUE_PREFIX = "cq/";

  @Mixin private ListFlags flags = new ListFlags();

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      description = "only those of this LocalQueue, or of a ClusterQueue as cq/NAME")
  private @Nullable String queue;

  @Option(
      names = "--status",
      paramLabel = "PHASE",
      description = "only those in this phase: ${COMPLETION-CANDIDATES}; repeatable")
  private List<ListedPhase> phases = new ArrayList<>();

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    flags.check();
    return cluster.use(
        flags.namespaces().needs("this needs to list Workloads and LocalQueues"), this::list);
  }

  private int list(ClusterConnection connection, PrintWriter out) throws InterruptedException {
    boolean judged = ClusterQueueRight.mayList(connection.api());
    try (ListedRows listed = new ListedRows(connection, out)) {
      if (flags.watch()) {
        watch(connection, listed, judged);
      } else {
        print(connection, listed, judged, out);
      }
      return 0;
    }
  }

  /**
   * Prints the rows and their changes.
   *
   * @param judged whether phases are judged with the ClusterQueues, which may then be listed
   */
  private void watch(ClusterConnection connection, ListedRows listed, boolean judged)
      throws InterruptedException {
    String namespace = flags.namespaces().of(connection);
    Informer<LocalQueue> localQueues = listed.informer(KueueTypes.LOCAL_QUEUE, namespace);
    QueuesByName queues =
        new QueuesByName(
            judged ? listed.informer(KueueTypes.CLUSTER_QUEUE, "")::get : key -> Optional.empty(),
            localQueues::get);
    noteUnless(judged);
    listed.watch(
        listed.informer(KueueTypes.WORKLOAD, namespace), () -> rows(queues), wanted(queues));
    listed.untilInterrupted();
  }

  private void print(
      ClusterConnection connection, ListedRows listed, boolean judged, PrintWriter out) {
    KubernetesApi api = connection.api();
    ListOptions where = flags.namespaces().where(connection);
    List<LocalQueue> localQueues = api.list(KueueTypes.LOCAL_QUEUE, where).items();
    QueuesByName queues =
        QueuesByName.among(
            judged ? api.list(KueueTypes.CLUSTER_QUEUE, ListOptions.all()).items() : List.of(),
            localQueues);
    Predicate<Workload> wanted = wanted(queues);
    Optional<String> objects =
        flags.objects(
            () ->
                api.list(KueueTypes.WORKLOAD.as(StoredObject.class), where).items().stream()
                    .filter(stored -> wanted.test(stored.as(Workload.class)))
                    .toList());
    if (objects.isPresent()) {
      out.print(objects.get());
    } else {
      listed.print(
          api.list(KueueTypes.WORKLOAD, where).items().stream().filter(wanted).toList(),
          rows(queues));
    }
    noteUnless(judged);
  }

  private void noteUnless(boolean judged) {
    if (!judged) {
      cluster.note(ClusterQueueRight.MISSING + "phases are judged without them");
    }
  }

  private WorkloadRows rows(QueuesByName queues) {
    return new WorkloadRows(
        flags.namespaces().all(), flags.wide(), queues, TimeSource.wallClock().instant());
  }

  private Predicate<Workload> wanted(QueuesByName queues) {
    return workload ->
        (phases.isEmpty()
                || phases.contains(ListedPhase.of(workload, queues.of(workload).orElse(null))))
            && isOfQueue(workload, queues);
  }

  private boolean isOfQueue(Workload workload, QueuesByName queues) {
    if (queue == null) {
      return true;
    }
    return queue.startsWith(CLUSTER_QUEUE_PREFIX)
        ? queues
            .nameOf(workload)
            .filter(queue.substring(CLUSTER_QUEUE_PREFIX.length())::equals)
            .isPresent()
        : queue.equals(workload.spec().queueName());
  }
}
