// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The demo's examples, with the core killed and restarted midway. */
@Order(1)
@PossibleLog(
    logger = "HistorySampler",
    message = "No sample for the history of shares",
    because = "the core may be dead when the minute ends")
class DemoScenarioTest {
  private static final Path EXAMPLES = Checkout.root().resolve("examples");

  @Test
  void aDemoInWhichAStepIsNotSeenFails() {
    Story story = Story.ofTheExamples(Instant.EPOCH);
    Summary summary =
        new Summary(
            List.of(),
            0,
            story,
            new History(),
            new Traffic(Map.of()),
            Duration.ZERO,
            Duration.ZERO);

    assertThat(summary.succeeded()).isFalse();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    summary.print(new PrintStream(text, true, StandardCharsets.UTF_8), false);
    assertThat(text.toString(StandardCharsets.UTF_8))
        .contains("Steps seen           0 of 17")
        .contains("not seen           team-f/render waits: two GPUs are free, but on two nodes");
  }

  @Test
  void everyStepIsSeenAndEveryJobFinishesAlthoughTheCoreIsKilled() throws InterruptedException {
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
        .contains("Weekly budget exhausted. Will retry on Monday")
        .contains("2 L4 GPUs free, but on two nodes")
        .contains("All 10 licences are in use.")
        .contains("are played by this process")
        .contains("step 17 of 17: ")
        .contains("Jobs finished        12 of 12", "Steps seen           17 of 17");
    assertThat(out.substring(out.indexOf("Jobs finished"))).hasLineCount(6).contains("--verbose");
    assertThat(out).doesNotContainPattern("sort-[12] .*Pending");
  }
}
