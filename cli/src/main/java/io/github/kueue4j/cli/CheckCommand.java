// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.sdk.program.CheckOptions;
import io.github.kueue4j.sdk.program.CheckProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j check NAME}: one admission check controller against any cluster. */
@Command(
    name = "check",
    description = "Runs one admission check controller against a cluster until Ctrl-C.",
    synopsisSubcommandLabel = "NAME",
    mixinStandardHelpOptions = true,
    commandListHeading = "%nNAME is one of:%n",
    footer = {"", "'check NAME --help' lists the options."})
final class CheckCommand implements Callable<Integer> {
  @Parameters(hidden = true, description = "what is no check")
  private List<String> words = new ArrayList<>();

  private @Nullable CommandSpec spec;

  /** Adds a subcommand for each check. */
  @Spec
  @SuppressWarnings("unused") // picocli calls it.
  private void describe(CommandSpec itself) {
    spec = itself;
    for (CheckName name : CheckName.values()) {
      itself.addSubcommand(name.word(), One.line(name));
    }
  }

  @Override
  public Integer call() {
    String problem =
        words.isEmpty() ? "no check was named;" : "there is no check '" + words.getFirst() + "';";
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        problem + " choose one of " + String.join(", ", CheckName.words()));
  }

  /** {@code kueue4j check budget} and so on: the options of every check, and its own. */
  @Command(
      mixinStandardHelpOptions = true,
      exitCodeOnExecutionException = FatalErrors.EXIT_STATUS,
      exitCodeListHeading = ExitStatus.HEADING,
      exitCodeList = {
        ExitStatus.ENDED_IN_ORDER,
        ExitStatus.ENDED_BY_ANOTHER_LEADER,
        ExitStatus.USER_ERROR,
        ExitStatus.FATAL_ERROR,
        ExitStatus.ENDED_BY_SIGINT,
        ExitStatus.KILLED_BY_SIGTERM
      })
  private static final class One implements Callable<Integer> {
    private final CheckProgram program;

    @Mixin private CheckOptions options = new CheckOptions();

    @Spec private @Nullable CommandSpec spec;

    private One(CheckProgram program) {
      this.program = program;
    }

    static CommandLine line(CheckName name) {
      CheckProgram program = name.program();
      CommandLine line = new CommandLine(new One(program));
      program.moreOptions().ifPresent(mixin -> line.addMixin("own", mixin));
      line.getCommandSpec()
          .usageMessage()
          .description("Runs the check of " + name.subject() + " until Ctrl-C.");
      return line;
    }

    @Override
    public Integer call() throws InterruptedException {
      Logging.verbose();
      return program.run(options, Objects.requireNonNull(spec).commandLine().getOut());
    }
  }
}
