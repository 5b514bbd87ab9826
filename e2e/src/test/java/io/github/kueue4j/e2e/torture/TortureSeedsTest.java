// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.observer.Report;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.simulation.SimulatedCluster;
import io.github.kueue4j.simulation.Simulation;
import io.github.kueue4j.testdefaults.Nightly;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The torture where a seed decides the order of all steps: a core that is killed, naive checks and
 * one of the SDK, in simulated time. {@link TortureTest} does the same in real time, also on real
 * API servers.
 */
@Tag("simulates")
class TortureSeedsTest {
  private static final Duration KILL_EVERY = Duration.ofSeconds(20);
  private static final Duration NEVER = Duration.ofHours(2);
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final int WORKLOADS = 20;

  /** Two naive checks and one of the SDK. */
  @Test
  void everyWorkloadIsAdmittedAndNoPromiseIsBroken() throws Exception {
    Seeds.each(
        Nightly.bound(1, 300),
        simulation ->
            simulation.run(
                "test",
                () -> {
                  Report report = killed(simulation);
                  assertThat(report.violations()).isEmpty();
                  assertThat(report.tally().finished()).isEqualTo(WORKLOADS);
                  return report;
                }));
  }

  @Test
  void twentyWorkloadsWithTwoChecksThatAnswerAtUnluckyMoments() throws Exception {
    NaiveCheck.Style style =
        new NaiveCheck.Style(3, 8, Duration.ofSeconds(60), Duration.ofSeconds(8), 0);
    Seeds.each(
        Nightly.bound(1, 300),
        simulation ->
            simulation.run(
                "test",
                () -> {
                  Storm.Setup setup = new Storm.Setup(20, style, false, simulation.seed());
                  Report report = live(simulation, setup, NEVER);
                  assertThat(report.violations()).isEmpty();
                  assertThat(report.tally().finished()).isEqualTo(WORKLOADS);
                  assertThat(report.tally().late()).isGreaterThan(20);
                  return report;
                }));
  }

  /** In each build {@code SimulationTest} asserts it of a shorter life. */
  @Test
  @Tag("nightly")
  void aSeedRepeatsItsOrderExactly() throws Exception {
    try (Simulation one = Simulation.of(7);
        Simulation other = Simulation.of(7)) {
      one.run("test", () -> killed(one));
      other.run("test", () -> killed(other));
      assertThat(one.trace()).isEqualTo(other.trace());
    }
  }

  private static Report killed(Simulation simulation) throws InterruptedException {
    NaiveCheck.Style style =
        new NaiveCheck.Style(2, 4, Duration.ofSeconds(40), Duration.ofSeconds(10), 0.1);
    Storm.Setup setup = new Storm.Setup(WORKLOADS / 4, style, true, simulation.seed());
    return live(simulation, setup, KILL_EVERY);
  }

  private static Report live(Simulation simulation, Storm.Setup setup, Duration killEvery)
      throws InterruptedException {
    TimeSource time = simulation.time();
    try (EmbeddedApiServer server =
            SimulatedCluster.start(EmbeddedApiServer.builder().clock(time));
        Storm storm = Storm.start(Storm.Cast.here(target(server), time), time, setup)) {
      storm.round(1, WORKLOADS, killEvery, PATIENCE);
      return storm.audit().of(storm.frames());
    }
  }

  private static Target target(EmbeddedApiServer server) {
    return component -> SimulatedCluster.connection(component, server).connect();
  }
}
