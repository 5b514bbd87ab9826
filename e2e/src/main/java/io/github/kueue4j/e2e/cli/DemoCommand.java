// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.cli.ExitStatus;
import io.github.kueue4j.cli.Interruption;
import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.e2e.demo.DemoRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./kueue4j demo}: the examples, from submission to the end, in under 60 seconds. */
@Command(
    name = "demo",
    description =
        "Sends the Jobs of examples/ through quota, admission checks, delayed retries and admission"
            + " on an embedded API server, in scaled time, prints each step when it is seen, and ends"
            + " with a summary.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.DONE,
      "1:a step was not seen, or a Job did not come to its end",
      ExitStatus.USER_ERROR
    })
final class DemoCommand implements Callable<Integer> {
  private static final int DEFAULT_WIDTH = 120;
  private static final int DEFAULT_HEIGHT = 40;

  @Option(names = "--chaos", description = "kill and restart the core midway")
  private boolean chaos;

  @Option(
      names = "--verbose",
      description = "end with the requests of each client, by verb and resource")
  private boolean verbose;

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    Path examples = Home.examples();
    if (!Files.isDirectory(examples)) {
      throw new UserError(
          "there is no folder " + examples + "; run the launcher ./kueue4j of a checkout");
    }
    try (Interruption interruption = Interruption.listen()) {
      boolean succeeded =
          DemoRun.run(
              new DemoRun.DemoOptions(
                  examples,
                  chaos,
                  verbose,
                  Boolean.getBoolean("kueue4j.terminal"),
                  Integer.getInteger("kueue4j.columns", DEFAULT_WIDTH),
                  Integer.getInteger("kueue4j.lines", DEFAULT_HEIGHT)),
              System.out,
              () -> wasAsked(interruption));
      return succeeded ? 0 : 1;
    }
  }

  private static boolean wasAsked(Interruption interruption) {
    try {
      return interruption.await(Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
