// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.cli.Main;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** What the launcher of a checkout prints for {@code --help}, without being built. */
class UsageTest {
  @Test
  void isWhatTheCommandsSayOfThemselves() throws IOException {
    assertThat(Files.readString(Checkout.root().resolve("config/usage.txt")))
        .as("brought up to date by './kueue4j help >config/usage.txt'")
        .isEqualTo(usage());
  }

  @Test
  void namesEveryCommandAndOption() {
    String usage = usage();

    Main.commandLine().getSubcommands().entrySet().stream()
        .filter(each -> !each.getKey().equals("help"))
        .forEach(
            each -> {
              assertThat(usage).containsPattern("\n  " + each.getKey() + "\\b");
              each.getValue().getCommandSpec().options().stream()
                  .map(option -> option.longestName())
                  .filter(option -> !option.equals("--help") && !option.equals("--version"))
                  .forEach(option -> assertThat(usage).contains(option));
            });
  }

  @Test
  void listsTheCommandsInGroups() {
    assertThat(usage())
        .containsSubsequence(
            "\nWithout a cluster:\n  demo\n",
            "\n  up\n",
            "\nOn a cluster:\n  core\n",
            "\n  check NAME\n",
            "\n  explain NAME\n",
            "\nFor authors of checks:\n  new-check ",
            "\n  rbac ",
            "\n  conformance ",
            "\nMeasurement:\n  bench\n",
            "\n  bench-start\n",
            "\n  bench-soak\n",
            "\nPackaging:\n  aot-cache PROGRAM\n",
            "\nIn a shell:\n  completion SHELL\n");
  }

  private static String usage() {
    return Main.commandLine()
        .setCommandName("./kueue4j")
        .getUsageMessage(Ansi.OFF)
        .replace(System.lineSeparator(), "\n");
  }
}
