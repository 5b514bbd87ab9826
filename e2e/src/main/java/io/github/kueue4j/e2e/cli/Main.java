/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** Entry point of the launcher {@code ./kueue4j}. */
final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /**
   * Runs one command line.
   *
   * @return 0 when done, 1 when the command's own goal was missed, 2 for wrong usage or something
   *     outside that is missing
   */
  static int run(String... arguments) {
    CommandLine line = commandLine();
    line.setParameterExceptionHandler(
        (problem, unused) -> {
          complain(problem.getCommandLine().getErr(), oneLine(problem.getMessage()));
          String command = problem.getCommandLine().getCommandSpec().qualifiedName();
          problem.getCommandLine().getErr().println("Try './" + command + " --help'.");
          return ExitCode.USAGE;
        });
    line.setExecutionExceptionHandler(
        (problem, commandLine, parsed) -> {
          if (problem instanceof UserError) {
            complain(commandLine.getErr(), oneLine(problem.getMessage()));
            return ExitCode.USAGE;
          }
          throw problem;
        });
    return line.execute(arguments);
  }

  /** How command lines are read. */
  static CommandLine commandLine() {
    return new CommandLine(new Kueue4jCommand()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static void complain(PrintWriter err, String message) {
    err.println("kueue4j: " + message);
    err.flush();
  }

  private static String oneLine(@Nullable String message) {
    return Objects.requireNonNullElse(message, "no message").strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
