// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_DESCRIPTION;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING;

import io.github.kueue4j.cli.Subcommands.Subcommand;
import io.github.kueue4j.runtime.ProgramStart;
import io.github.kueue4j.sdk.program.StartRefusedException;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** Entry point of the launcher {@code kueue4j}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Main {
  private static final int USAGE_WIDTH = 100;

  private Main() {}

  public static void main(String[] arguments) {
    try {
      Logging.prepare(System.getenv()); // First: what comes next has a logger.
    } catch (StartRefusedException e) {
      System.err.println("kueue4j: " + oneLine(e.getMessage()));
      System.exit(ExitCode.USAGE);
    }
    ProgramStart.prepare();
    System.exit(run(arguments));
  }

  /**
   * Runs one command line.
   *
   * @return 0 when done, 1 when the command's own goal was missed, 2 for wrong usage or something
   *     outside that is missing
   */
  public static int run(String... arguments) {
    return run(commandLineFor(arguments), arguments);
  }

  /** Runs one command line that prints elsewhere, as far as its command asks picocli where. */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return run(commandLineFor(arguments).setOut(out).setErr(err), arguments);
  }

  private static int run(CommandLine line, String... arguments) {
    line.setParameterExceptionHandler(
        (problem, unused) -> {
          complain(problem.getCommandLine().getErr(), oneLine(problem.getMessage()));
          String command = problem.getCommandLine().getCommandSpec().qualifiedName();
          problem.getCommandLine().getErr().println("Try '" + command + " --help'.");
          return ExitCode.USAGE;
        });
    line.setExecutionExceptionHandler(
        (problem, commandLine, parsed) -> {
          if (problem instanceof UserError || problem instanceof StartRefusedException) {
            complain(commandLine.getErr(), oneLine(problem.getMessage()));
            return ExitCode.USAGE;
          }
          throw problem;
        });
    return line.execute(arguments);
  }

  /** How command lines are read: the launcher's own commands and those that modules add. */
  public static CommandLine commandLine() {
    return commandLine(subcommands());
  }

  /** Without the other commands, if the first word names one: picocli takes long to read all. */
  private static CommandLine commandLineFor(String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    List<Subcommand> all = subcommands();
    List<Subcommand> named = all.stream().filter(each -> each.name().equals(first)).toList();
    return commandLine(named.isEmpty() ? all : named);
  }

  private static CommandLine commandLine(List<Subcommand> subcommands) {
    CommandLine line = new CommandLine(new Kueue4jCommand()).setCommandName(Launcher.command());
    Map<String, CommandGroup> groups = new HashMap<>();
    for (Subcommand each : subcommands) {
      CommandLine command = new CommandLine(each.command());
      describe(command);
      command.getSubcommands().values().forEach(Main::describe);
      line.addSubcommand(command);
      groups.put(command.getCommandName(), each.group());
    }
    line.getCommandSpec()
        .usageMessage()
        .sectionKeys(
            List.of(
                SECTION_KEY_SYNOPSIS_HEADING,
                SECTION_KEY_SYNOPSIS,
                SECTION_KEY_DESCRIPTION,
                SECTION_KEY_COMMAND_LIST,
                SECTION_KEY_OPTION_LIST_HEADING,
                SECTION_KEY_OPTION_LIST,
                SECTION_KEY_EXIT_CODE_LIST_HEADING,
                SECTION_KEY_EXIT_CODE_LIST,
                SECTION_KEY_FOOTER_HEADING,
                SECTION_KEY_FOOTER));
    line.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST, new CommandOverview(groups));
    return line.setUsageHelpWidth(USAGE_WIDTH).setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static void describe(CommandLine command) {
    command.getCommandSpec().versionProvider(new BuildVersion());
    command.getCommandSpec().usageMessage().sortOptions(false);
  }

  private static List<Subcommand> subcommands() {
    return Stream.concat(
            Stream.of(new OwnSubcommands()),
            ServiceLoader.load(Subcommands.class).stream().map(ServiceLoader.Provider::get))
        .flatMap(each -> each.subcommands().stream())
        .sorted(Comparator.comparing(Subcommand::group))
        .toList();
  }

  private static void complain(PrintWriter err, String message) {
    err.println("kueue4j: " + message);
    err.flush();
  }

  private static String oneLine(@Nullable String message) {
    return Objects.requireNonNullElse(message, "no message").strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
