// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The launcher's root: names its commands, does nothing by itself. */
@Command(
    name = "kueue4j",
    description = "%nAdmission control for Kubernetes batch work.",
    customSynopsis = "${ROOT-COMMAND-NAME} COMMAND [OPTION]...",
    optionListHeading = "%nOptions:%n",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    subcommands = HelpCommand.class,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.DONE,
      "1:the command has ended without reaching its goal; its own help says what that means",
      ExitStatus.USER_ERROR
    },
    footerHeading = "%nEnvironment:%n",
    footer = {
      "  KUEUE4J_LOG        the level of what is logged on standard error, such as DEBUG",
      "  KUEUE4J_LOG_FORMAT text or json",
      "  NO_COLOR           if set, help and tables have neither colors nor bold type",
      "  KUEUE4J_JAVA_HOME  the Java (21 or newer) to run on, instead of the first one that is found",
      "  KUEUE4J_JAVA_OPTS  options for Java, such as -Xmx512m",
      "",
      "'${ROOT-COMMAND-NAME} COMMAND --help' says more."
    })
final class Kueue4jCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  /** Prints the list of commands, since none was given. */
  @Override
  public Integer call() {
    CommandSpec root = Objects.requireNonNull(spec);
    root.commandLine().usage(root.commandLine().getOut());
    return ExitCode.USAGE;
  }
}
