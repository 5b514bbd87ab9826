// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.provisioning.ProvisioningOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ProvisioningFlagsTest {

  @Command
  private static final class Line {
    @Mixin private ProvisioningFlags flags = new ProvisioningFlags();
  }

  private static ProvisioningOptions options(String... words) {
    Line line = new Line();
    new CommandLine(line).parseArgs(words);
    return line.flags.options();
  }

  @Test
  void eachOptionIsWhatTheCheckGets() {
    assertThat(options()).isEqualTo(ProvisioningOptions.defaults());
    assertThat(options("--controller-name", "example.com/room", "--recheck-ready-every=10m"))
        .isEqualTo(new ProvisioningOptions("example.com/room", Duration.ofMinutes(10)));
    assertThat(CheckName.PROVISIONING.program().moreOptions())
        .hasValueSatisfying(mixin -> assertThat(mixin).isInstanceOf(ProvisioningFlags.class));
  }

  @Test
  void anIntervalThatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> options("--recheck-ready-every=0s"))
        .hasMessageContaining("the interval must be positive, but is 0s");
    assertThatThrownBy(() -> options("--recheck-ready-every=soon"))
        .hasMessageContaining("--recheck-ready-every");
  }
}
