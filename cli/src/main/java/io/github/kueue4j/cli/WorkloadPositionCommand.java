// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.terminal.PlaceInQueue;
import io.github.kueue4j.observe.explain.ExplainInput;
import io.github.kueue4j.observe.explain.WaitingOrder;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kueue4j workload position}: the place of a Workload in its queues. */
@Command(
    name = "position",
    description =
        "Says which place a Workload has in its ClusterQueue and its LocalQueue, and who is ahead, as"
            + " far as the objects tell.",
    exitCodeList = {
      ExitStatus.DONE,
      "1:it doesn't wait for quota, so it has no place",
      ExitStatus.USER_ERROR
    })
final class WorkloadPositionCommand implements Callable<Integer> {
  @Mixin private WorkloadArgument argument = new WorkloadArgument();
  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "this needs what 'explain' needs",
        (connection, out) -> {
          ExplainInput around = argument.read(connection);
          Workload workload = argument.workload(around);
          Optional<PlaceInQueue> place = place(around, workload);
          if (place.isEmpty()) {
            out.println(
                workload.key()
                    + " doesn't wait for quota; 'explain workload/"
                    + workload.key().name()
                    + "' says where it stands");
            return 1;
          }
          place.get().lines(TimeSource.wallClock().instant()).forEach(out::println);
          return 0;
        });
  }

  private static Optional<PlaceInQueue> place(ExplainInput around, Workload workload) {
    ClusterQueue queue = around.clusterQueue();
    boolean all = around.mayRead(KueueTypes.WORKLOAD) && around.mayRead(KueueTypes.LOCAL_QUEUE);
    return queue == null && around.mayRead(KueueTypes.CLUSTER_QUEUE)
        ? Optional.empty()
        : PlaceInQueue.of(
            workload,
            all ? around.clusterQueueName().orElse(null) : null,
            WaitingOrder.of(
                queue,
                Stream.concat(Stream.of(workload), around.sameQueueWorkloads().stream()).toList()));
  }
}
