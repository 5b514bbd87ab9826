// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.terminal.WorkloadPage;
import io.github.kueue4j.core.explain.Explain;
import io.github.kueue4j.core.explain.ExplainInput;
import io.github.kueue4j.sdk.program.ClusterOptions;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kueue4j workload show}: one Workload on a screen. */
@Command(
    name = "show",
    description =
        "Shows one Workload: owner, queues, phase, pods, checks, conditions, and what 'explain' says.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class WorkloadShowCommand implements Callable<Integer> {
  @Mixin private WorkloadArgument argument = new WorkloadArgument();
  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    return KueueCluster.use(
        cluster,
        "this needs to read what 'explain' needs",
        connection -> {
          ExplainInput around = argument.read(connection);
          Instant now = TimeSource.wallClock().instant();
          WorkloadPage.of(argument.workload(around), around, now).forEach(out::println);
          out.println();
          out.print(ExplanationText.text(Explain.why(around, now), now));
          out.flush();
          return 0;
        });
  }
}
