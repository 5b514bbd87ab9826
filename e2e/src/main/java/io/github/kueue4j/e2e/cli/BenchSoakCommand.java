// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.cli.Converters;
import io.github.kueue4j.cli.ExitStatus;
import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.e2e.cluster.ClusterUnavailable;
import io.github.kueue4j.e2e.soak.Soak;
import io.github.kueue4j.e2e.soak.SoakException;
import io.github.kueue4j.e2e.soak.SoakReport;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./kueue4j bench-soak}: whether a core that runs for long takes more and more. */
@Command(
    name = "bench-soak",
    description =
        "Has Workloads and Jobs come, run, finish and be deleted at a steady rate on an embedded API"
            + " server, some delayed by a check, some evicted by preemption, and prints what the"
            + " core's process takes over time: memory, heap after a collection, threads, file"
            + " handles and series of /metrics.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.DONE,
      "1:something grows by more than its bound",
      ExitStatus.USER_ERROR
    })
final class BenchSoakCommand implements Callable<Integer> {
  @Option(
      names = "--length",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long the load comes (default: 30m)")
  private Duration length = Duration.ofMinutes(30);

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "how many Workloads and Jobs come in a second (default: 20)")
  private double rate = 20;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description = "what the core's process may take (default: 768, the chart's limit)")
  private int memory = 768;

  @Mixin private MeasuredCore measured = new MeasuredCore();

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    if (!(rate > 0)) {
      throw new UserError("--rate must be above 0, but is " + rate);
    }
    if (memory <= 0) {
      throw new UserError("--memory must be above 0, but is " + memory);
    }
    measured.check();
    try {
      SoakReport report =
          new Soak(length, rate, (long) memory << 20)
              .run(measured::command, Path.of(System.getProperty("java.home")), System.out);
      System.out.print(report);
      return report.grows() ? 1 : 0;
    } catch (ClusterUnavailable | SoakException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (KubernetesApiException e) {
      throw new UserError("the API server refuses: " + e.getMessage(), e);
    }
  }
}
