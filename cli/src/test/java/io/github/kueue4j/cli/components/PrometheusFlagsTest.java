// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.prometheuscheck.PrometheusCheckOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The options of {@code kueue4j check prometheus}. */
class PrometheusFlagsTest {

  @Command
  private static final class Line {
    @Mixin private PrometheusFlags flags = new PrometheusFlags();
  }

  private static PrometheusCheckOptions options(String... words) {
    Line line = new Line();
    new CommandLine(line).parseArgs(words);
    return line.flags.options();
  }

  @Test
  void eachOptionIsWhatTheCheckGets() {
    assertThat(options()).isEqualTo(PrometheusCheckOptions.defaults());
    assertThat(
            options(
                "--controller-name=example.com/gate",
                "--recheck-ready-every=10m",
                "--allow-files",
                "--refuse-private-addresses",
                "--allow-addresses=127.0.0.0/8",
                "--allow-addresses=10.0.0.7"))
        .isEqualTo(
            new PrometheusCheckOptions(
                "example.com/gate",
                AddressRules.defaults()
                    .withoutPrivate()
                    .allowing(AddressRange.parse("127.0.0.0/8"))
                    .allowing(AddressRange.parse("10.0.0.7/32")),
                true,
                Duration.ofMinutes(10)));
    assertThat(CheckName.PROMETHEUS.program().moreOptions())
        .hasValueSatisfying(mixin -> assertThat(mixin).isInstanceOf(PrometheusFlags.class));
  }

  @Test
  void whatMakesNoSenseIsRefusedWithTheRemedy() {
    assertThatThrownBy(() -> options("--allow-addresses=example.com"))
        .hasMessageContaining("write one such as 10.0.0.0/8");
    assertThatThrownBy(() -> options("--recheck-ready-every=0s"))
        .hasMessageContaining("the interval must be positive");
  }
}
