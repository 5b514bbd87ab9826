// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.terminal.WorkloadPage;
import io.github.kueue4j.observe.explain.Explain;
import io.github.kueue4j.observe.explain.ExplainInput;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kueue4j workload show}: one Workload on a screen. */
@Command(
    name = "show",
    description =
        "Shows one Workload: owner, queues, phase, pods, checks, conditions, and what 'explain' says.")
final class WorkloadShowCommand implements Callable<Integer> {
  @Mixin private WorkloadArgument argument = new WorkloadArgument();
  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "this needs to read what 'explain' needs",
        (connection, out) -> {
          ExplainInput around = argument.read(connection);
          Instant now = TimeSource.wallClock().instant();
          WorkloadPage.of(argument.workload(around), around, now).forEach(out::println);
          out.println();
          out.print(ExplanationText.text(Explain.why(around, now), now));
          return 0;
        });
  }
}
