// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.kueue4j.cli.Main;
import io.github.kueue4j.e2e.docs.Page;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Every call of the launcher that a page shows is one that the launcher understands. */
class DocumentedCommandsTest {
  @Test
  void areUnderstood() throws IOException {
    List<String> calls =
        Page.all(Checkout.root()).values().stream()
            .flatMap(page -> page.launches().stream())
            .toList();

    assertThat(calls).hasSizeGreaterThan(4);
    CommandLine launcher = Main.commandLine();
    for (String call : calls) {
      String[] arguments = call.replaceFirst("^\\./kueue4j\\s+", "").split("\\s+");
      assertThatCode(() -> launcher.parseArgs(arguments)).as(call).doesNotThrowAnyException();
    }
  }
}
