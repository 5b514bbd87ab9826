// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.api.Workload;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kueue4j queue stop}: no Workload of the queue is admitted any more. */
@Command(
    name = "stop",
    description =
        "Stops a queue: none of its Workloads gets quota until it is resumed. It asks nothing.")
final class QueueStopCommand implements Callable<Integer> {
  @Mixin private QueueArgument argument = new QueueArgument();

  @Option(names = "--drain", description = "also evict the Workloads that are admitted")
  private boolean drain;

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "this needs to patch the queue, and to list Workloads and LocalQueues",
        (connection, out) -> {
          QueueSwitch queue = QueueSwitch.of(argument, connection);
          StopPolicy policy = drain ? StopPolicy.HOLD_AND_DRAIN : StopPolicy.HOLD;
          if (queue.policy().equals(policy)) {
            out.println(queue.called() + " is stopped already (stopPolicy " + policy + ")");
            return 0;
          }
          List<Workload> workloads = queue.workloads();
          queue.set(policy);
          out.println(
              queue.called() + " is stopped (stopPolicy " + policy + "): " + effect(workloads));
          return 0;
        });
  }

  private String effect(List<Workload> workloads) {
    long admitted =
        workloads.stream()
            .map(Workload::conditions)
            .filter(each -> each.holdsQuota() && each.admitted())
            .count();
    long reserved =
        workloads.stream().filter(each -> each.conditions().holdsQuota()).count() - admitted;
    return admitted
        + (drain ? " admitted are evicted, " : " admitted go on, ")
        + reserved
        + (drain ? " with a reservation only are evicted, " : " with a reservation only lose it, ")
        + (workloads.size() - admitted - reserved)
        + " go on waiting";
  }
}
