// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.StopPolicy;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kueue4j queue resume}: undoes {@code queue stop}. */
@Command(
    name = "resume",
    description = "Lets a stopped queue admit Workloads again.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class QueueResumeCommand implements Callable<Integer> {
  @Mixin private QueueArgument argument = new QueueArgument();
  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    return KueueCluster.use(
        cluster,
        "this needs to patch the queue, and to list Workloads and LocalQueues",
        connection -> {
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
