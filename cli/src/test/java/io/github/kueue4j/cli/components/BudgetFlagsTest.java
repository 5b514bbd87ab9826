// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.budget.BudgetOptions;
import io.github.kueue4j.http.AddressRules;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class BudgetFlagsTest {

  @Command
  private static final class Words {
    @Mixin private BudgetFlags flags = new BudgetFlags();
  }

  private static BudgetOptions options(String... words) {
    Words line = new Words();
    new CommandLine(line).parseArgs(words);
    return line.flags.options();
  }

  @Test
  void eachOptionIsWhatTheCheckGets() {
    assertThat(options()).isEqualTo(BudgetOptions.defaults());
    assertThat(
            options(
                "--controller-name=example.com/money",
                "--recheck-ready-every=5m",
                "--spread=1m",
                "--allow-files"))
        .isEqualTo(
            new BudgetOptions(
                "example.com/money",
                Duration.ofMinutes(5),
                Duration.ofMinutes(1),
                AddressRules.defaults(),
                true));
    assertThat(CheckName.BUDGET.program().moreOptions())
        .hasValueSatisfying(mixin -> assertThat(mixin).isInstanceOf(BudgetFlags.class));
  }

  @Test
  void aSpreadThatIsTooWideIsRefused() {
    assertThatThrownBy(() -> options("--spread=1h"))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining("--spread")
        .hasMessageContaining("0 to 5 minutes");
  }
}
