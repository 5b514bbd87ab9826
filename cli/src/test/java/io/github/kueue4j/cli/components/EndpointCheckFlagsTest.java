// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.http.EndpointCheckOptions;
import io.github.kueue4j.httpcheck.HttpCheck;
import io.github.kueue4j.prometheuscheck.PrometheusCheck;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The options of {@code kueue4j check http} and {@code kueue4j check prometheus}. */
class EndpointCheckFlagsTest {

  @Command
  private static final class Line {
    @Mixin private EndpointCheckFlags flags = new EndpointCheckFlags(HttpCheck.defaults());
  }

  private static EndpointCheckOptions options(String... words) {
    Line line = new Line();
    new CommandLine(line).parseArgs(words);
    return line.flags.options();
  }

  @Test
  void eachOptionIsWhatTheCheckGets() {
    assertThat(options()).isEqualTo(HttpCheck.defaults());
    assertThat(
            options(
                "--controller-name=example.com/gate",
                "--recheck-ready-every=10m",
                "--allow-files",
                "--secrets-namespace=credentials",
                "--refuse-private-addresses",
                "--allow-addresses=127.0.0.0/8",
                "--allow-addresses=10.0.0.7"))
        .isEqualTo(
            new EndpointCheckOptions(
                "example.com/gate",
                AddressRules.defaults()
                    .withoutPrivate()
                    .allowing(AddressRange.parse("127.0.0.0/8"))
                    .allowing(AddressRange.parse("10.0.0.7/32")),
                true,
                Duration.ofMinutes(10),
                "credentials"));
    assertThat(given(CheckName.HTTP).options()).isEqualTo(HttpCheck.defaults());
    assertThat(given(CheckName.PROMETHEUS).options()).isEqualTo(PrometheusCheck.defaults());
  }

  private static EndpointCheckFlags given(CheckName check) {
    return (EndpointCheckFlags) check.program().moreOptions().orElseThrow();
  }

  @Test
  void theHelpTellsTheDefaultsOfTheCheck() {
    assertThat(new CommandLine(new Line()).getUsageMessage().replaceAll("\\s+", " "))
        .contains("kueue4j.io/http")
        .contains("(default: 5m)");
  }

  @Test
  void whatMakesNoSenseIsRefusedWithTheRemedy() {
    assertThatThrownBy(() -> options("--allow-addresses=example.com"))
        .hasMessageContaining("write one such as 10.0.0.0/8");
    assertThatThrownBy(() -> options("--recheck-ready-every=0s"))
        .hasMessageContaining("the interval must be positive");
  }
}
