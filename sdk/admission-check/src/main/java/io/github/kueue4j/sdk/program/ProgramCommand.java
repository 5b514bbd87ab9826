// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import io.github.kueue4j.runtime.FatalErrors;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of a {@link CheckProgram}. */
@Command(
    sortOptions = false,
    exitCodeOnExecutionException = FatalErrors.EXIT_STATUS,
    description = "Answers for its AdmissionChecks on a cluster until SIGTERM or Ctrl-C.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:ended by SIGTERM, in order",
      "1:another replica has become the leader; start it again",
      "2:wrong usage, or something outside is missing or refuses; the message says what to do",
      FatalErrors.EXIT_STATUS
          + ":out of memory, or another Error or exception that ends it; start it again",
      "130:ended by SIGINT (Ctrl-C), in order",
      "143:ended by SIGTERM, but not in order within 28 s"
    },
    footerHeading = "%nEnvironment:%n",
    footer = {
      "  KUEUE4J_LOG         the level of what is logged on standard error",
      "  KUEUE4J_LOG_FORMAT  text or json",
      "  KUEUE4J_GUARDS_*    single limits, such as KUEUE4J_GUARDS_TIMEOUT=10s",
      "  POD_NAME            the identity under which it holds its Lease"
    })
final class ProgramCommand implements Callable<Integer> {
  private static final int WIDTH = 100;

  private final CheckProgram program;

  @Mixin private CheckOptions options = new CheckOptions();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help and exit")
  @SuppressWarnings("unused") // picocli reads it
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private ProgramCommand(CheckProgram program) {
    this.program = program;
  }

  /** How the command line of a program is read. */
  static CommandLine of(CheckProgram program) {
    CommandLine line = new CommandLine(new ProgramCommand(program));
    program.moreOptions().ifPresent(mixin -> line.addMixin("more", mixin));
    return line.setCommandName(program.name())
        .setUsageHelpWidth(WIDTH)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(
            (problem, unused) -> {
              complain(problem.getCommandLine(), String.valueOf(problem.getMessage()));
              problem.getCommandLine().getErr().println("Try '" + program.name() + " --help'.");
              return ExitCode.USAGE;
            })
        .setExecutionExceptionHandler(
            (problem, command, parsed) -> {
              if (problem instanceof StartRefusedException) {
                complain(command, String.valueOf(problem.getMessage()));
                return ExitCode.USAGE;
              }
              throw problem;
            });
  }

  private static void complain(CommandLine line, String message) {
    line.getErr()
        .println(line.getCommandName() + ": " + message.strip().replaceAll("\\s*\\R\\s*", " "));
    line.getErr().flush();
  }

  @Override
  public Integer call() throws InterruptedException {
    return program.run(options, Objects.requireNonNull(spec).commandLine().getOut());
  }
}
