// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.observer.Report;
import io.github.kueue4j.e2e.scenarios.ScenarioCluster;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.testdefaults.Nightly;
import io.github.kueue4j.testdefaults.Notices;
import io.github.kueue4j.testdefaults.PossibleLog;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many Workloads, checks that answer at random moments, a core that is killed every few seconds and
 * takes up its lease again: all are admitted and finish, and no promise is broken.
 *
 * <p>20 Workloads in 2 rounds on real API servers; in a nightly build ({@code -Pnightly}) 200 in 5
 * rounds, also on the embedded one, where {@link TortureSeedsTest} does the same in every build.
 * {@code -Dkueue4j.torture.seed=N} takes other dice.
 */
@PossibleLog(
    logger = "io.github.kueue4j",
    message = "",
    because = "requests, watches and reconciles fail while cores are killed")
class TortureTest {
  private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
  private static final long SEED = 42;

  /** Simulated seconds in a real one. */
  private static final double SPEED = 10;

  private static final Duration KILL_EVERY = Duration.ofSeconds(Nightly.bound(2, 5));
  private static final Duration PATIENCE = Duration.ofMinutes(Nightly.bound(3, 6));
  private static final Duration NEVER = Duration.ofHours(1);

  /** Two naive checks and one of the SDK. */
  @ParameterizedTest
  @EnumSource(ScenarioCluster.class)
  void everyWorkloadIsAdmittedAndNoPromiseIsBroken(ScenarioCluster kind)
      throws InterruptedException {
    int workloads = Nightly.bound(20, 200);
    int rounds = Nightly.bound(2, 5);
    NaiveCheck.Style style =
        new NaiveCheck.Style(
            2, 4, Duration.ofSeconds(Nightly.bound(40, 120)), Duration.ofSeconds(10), 0.1);
    Storm.Setup setup = new Storm.Setup(workloads / 4, style, true, seed());

    Report report = run("torture", kind, setup, workloads, rounds, KILL_EVERY);

    assertThat(report.violations()).isEmpty();
    assertThat(report.tally().retries()).isGreaterThanOrEqualTo(workloads * rounds);
    assertThat(report.tally().late()).isPositive();
  }

  /**
   * Where 12 of 20 stayed stuck for ever with another implementation: two external checks, several
   * Retries each, many of them after the eviction, during the delay and after the requeue.
   */
  @ParameterizedTest
  @EnumSource(ScenarioCluster.class)
  void twentyWorkloadsWithTwoChecksThatAnswerAtUnluckyMoments(ScenarioCluster kind)
      throws InterruptedException {
    NaiveCheck.Style style =
        new NaiveCheck.Style(3, 8, Duration.ofSeconds(60), Duration.ofSeconds(8), 0);
    Storm.Setup setup = new Storm.Setup(20, style, false, seed());

    Report report = run("unlucky moments", kind, setup, 20, 1, NEVER);

    assertThat(report.violations()).isEmpty();
    assertThat(report.tally().late()).isGreaterThan(20);
  }

  private static long seed() {
    return Seeds.given("kueue4j.torture.seed").orElse(SEED);
  }

  private static Report run(
      String name,
      ScenarioCluster kind,
      Storm.Setup setup,
      int workloads,
      int rounds,
      Duration killEvery)
      throws InterruptedException {
    assumeThat(kind != ScenarioCluster.EMBEDDED || Nightly.isOn())
        .as("TortureSeedsTest does the same in simulated time; this one in -Pnightly only")
        .isTrue();
    try (TimeSource time = TimeSource.scaled(START, SPEED);
        Cluster cluster = kind.start(time);
        Storm storm = Storm.start(cluster, time, setup)) {
      long begin = System.nanoTime();
      for (int round = 1; round <= rounds; round++) {
        storm.round(round, workloads, killEvery, PATIENCE);
      }
      Report report = storm.audit().of(storm.frames());
      Notices.nightly(
          ("%s on %s: %d workloads x %d rounds in %d s at %.0fx, seed %d, %d kills, 0 stuck, %s,"
                  + " %d violations")
              .formatted(
                  name,
                  cluster.name(),
                  workloads,
                  rounds,
                  Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
                  SPEED,
                  setup.seed(),
                  storm.kills(),
                  report.tally(),
                  report.violations().size()));
      assertThat(report.tally().finished()).isEqualTo(workloads * rounds);
      return report;
    }
  }
}
