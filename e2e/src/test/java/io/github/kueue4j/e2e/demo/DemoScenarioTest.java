// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The demo's examples, with the core killed and restarted midway. */
@Order(1)
class DemoScenarioTest {
  private static final Path EXAMPLES = Path.of("..", "examples").toAbsolutePath().normalize();

  @Test
  void everyJobFinishesAlthoughTheCoreIsKilled() throws InterruptedException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    boolean succeeded =
        DemoRun.run(
            new DemoRun.DemoOptions(EXAMPLES, true, false, false, 200, 50),
            new PrintStream(text, true, StandardCharsets.UTF_8),
            () -> false);

    String out = text.toString(StandardCharsets.UTF_8);
    assertThat(succeeded).describedAs("%s", out).isTrue();
    assertThat(out)
        .contains("chaos: the core was killed", "chaos: the core is back")
        .contains("Daily budget exhausted. Will retry at midnight.")
        .contains("Jobs finished        7 of 7");
    assertThat(out.substring(out.indexOf("Jobs finished"))).hasLineCount(5).contains("--verbose");
    assertThat(out).doesNotContainPattern("sort-[12] .*Pending");
  }
}
