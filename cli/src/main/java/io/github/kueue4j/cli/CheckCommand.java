// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.sdk.program.CheckOptions;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j check NAME}: one admission check controller against any cluster. */
@Command(
    name = "check",
    description = "Runs one admission check controller against a cluster until Ctrl-C.",
    mixinStandardHelpOptions = true,
    exitCodeOnExecutionException = FatalErrors.EXIT_STATUS,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.ENDED_BY_ANOTHER_LEADER,
      ExitStatus.USER_ERROR,
      ExitStatus.FATAL_ERROR,
      ExitStatus.ENDED_BY_SIGINT,
      ExitStatus.ENDED_BY_SIGTERM
    })
final class CheckCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      description = "which one: budget, gpu or provisioning",
      converter = Converters.Check.class)
  private CheckName name = CheckName.BUDGET;

  @Mixin private CheckOptions options = new CheckOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Logging.verbose();
    return name.program().run(options, Objects.requireNonNull(spec).commandLine().getOut());
  }
}
