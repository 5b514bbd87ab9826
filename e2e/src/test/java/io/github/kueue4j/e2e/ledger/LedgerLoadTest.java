// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.budget.ledger.Window;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Notices;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ledgers say to the tick what ran, whenever the check is killed. */
@Tag("simulates")
@PossibleLog(
    logger = "io.github.kueue4j",
    message = "",
    because = "the check is killed in the middle of what it does")
class LedgerLoadTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final LoadedBudget FOR_FIVE =
      new LoadedBudget(
          "five",
          "limit: 5, window: {type: Monthly}",
          BigDecimal.ONE,
          Window.monthly(ZoneOffset.UTC));
  private static final int ROUNDS = Nightly.bound(2, 40);
  private static final int JOBS = Nightly.bound(10, 50);

  @Test
  void aLoadOfJobsIsChargedToTheTick() throws Exception {
    Seeds.each(
        1,
        simulation -> {
          Random random = new Random(simulation.seed());
          LedgerWorld world = simulation.run("start", () -> LedgerLoad.world(random));
          LedgerLoad load = new LedgerLoad(world, random);
          // A run of a simulation takes a day at most.
          for (int number = 0; number < ROUNDS; number++) {
            int first = number * JOBS;
            boolean dearer = number == ROUNDS / 2;
            simulation.run("round " + number, () -> round(load, first, dearer));
          }
          simulation.run("end", () -> end(world, load));
        });
  }

  private static LedgerLoad round(LedgerLoad load, int first, boolean dearer)
      throws InterruptedException {
    if (dearer) {
      load.makeDearer();
    }
    load.round(first, JOBS);
    return load;
  }

  private static LedgerLoad end(LedgerWorld world, LedgerLoad load) throws InterruptedException {
    try (world) {
      load.end();
      Notices.nightly(load.figures(ROUNDS * JOBS));
      assertThat(world.check.unanswered()).as("kills after a write").isPositive();
      assertThat(world.now()).as("a day has ended").isAfter("2026-01-05T09:00:00Z");
    }
    return load;
  }

  /** With a budget for five of thirty that come at once, five run, whenever the check is killed. */
  @Test
  void ofThirtyAtOnceAsManyRunAsTheBudgetHas() throws Exception {
    Seeds.each(
        Nightly.bound(1, 50),
        simulation -> simulation.run("test", () -> fiveOfThirtyRun(new Random(simulation.seed()))));
  }

  private static LoadedBudget fiveOfThirtyRun(Random random) throws InterruptedException {
    try (LedgerWorld world = new LedgerWorld(List.of(FOR_FIVE), List.of("a"), 100, random)) {
      for (int i = 0; i < 30; i++) {
        ObjectKey key = new ObjectKey("a", "job-" + i);
        world.create(new LoadedJob(key, "main", 1, HOUR, HOUR, false));
      }
      for (int i = 0; i < 4; i++) {
        world.check.killAtItsNextWrite(Duration.ofMillis(random.nextInt(200)));
        world.check.start();
      }
      world.until(
          "each runs or waits for the next window",
          Duration.ofMinutes(5),
          () -> world.workloads("a").stream().filter(LedgerLoadTest::runsOrWaits).count() == 30);

      assertThat(world.recorder.spans(world.now())).hasSize(5);
      assertThat(world.ledger(FOR_FIVE, "a").open()).hasSize(5);
    }
    return FOR_FIVE;
  }

  private static boolean runsOrWaits(Workload workload) {
    return workload.conditions().reserved()
        ? workload.conditions().admitted()
        : workload.status().admissionChecks().stream()
            .anyMatch(entry -> entry.is(CheckState.RETRY));
  }
}
