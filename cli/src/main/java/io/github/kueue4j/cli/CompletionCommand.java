// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j completion}: what a shell needs to complete command lines of the launcher. */
@Command(
    name = "completion",
    description =
        "Prints a script that completes commands, options and their values, for 'source <(...)'.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class CompletionCommand implements Callable<Integer> {
  /** A shell that takes the script; zsh does so through its emulation of bash's completion. */
  enum Shell {
    BASH,
    ZSH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(paramLabel = "SHELL", description = "bash or zsh")
  @SuppressWarnings("unused") // picocli refuses others; both take the same script.
  private @Nullable Shell shell;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = Objects.requireNonNull(spec).root().commandLine();
    String name = root.getCommandName();
    // A shell takes the completion of "kueue4j" for any path that ends so. What follows "kubectl
    // kueue4j" it leaves to kubectl.
    String program = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf(' ')) + 1);
    root.getOut().print(AutoComplete.bash(program, Main.commandLine().setCommandName(name)));
    root.getOut().flush();
    return 0;
  }
}
