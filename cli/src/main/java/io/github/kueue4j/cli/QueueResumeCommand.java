// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.StopPolicy;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kueue4j queue resume}: undoes {@code queue stop}. */
@Command(name = "resume", description = "Lets a stopped queue admit Workloads again.")
final class QueueResumeCommand implements Callable<Integer> {
  @Mixin private QueueArgument argument = new QueueArgument();
  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "this needs to patch the queue, and to list Workloads and LocalQueues",
        (connection, out) -> {
          QueueSwitch queue = QueueSwitch.of(argument, connection);
          if (queue.policy().equals(StopPolicy.NONE)) {
            out.println(queue.called() + " is not stopped");
            return 0;
          }
          queue.set(StopPolicy.NONE);
          long waiting =
              queue.workloads().stream().filter(each -> !each.conditions().holdsQuota()).count();
          out.println(queue.called() + " is resumed: " + waiting + " wait in it");
          return 0;
        });
  }
}
