// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.simulation.Simulation;
import io.github.kueue4j.testdefaults.Nightly;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any load, replayed without changes, takes the recorded decisions in the recorded order: queues
 * that borrow, reclaim and preempt, with a check that asks for retries or without one.
 */
@Tag("thorough")
class ReplayedTracesTest {
  private static final int SEEDS = Nightly.bound(3, 300);
  private static final int ARRIVALS = 40;
  private static final Duration END = Duration.ofHours(2);

  private int evictions;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplayWithoutChangesTakesTheSameDecisions(boolean checked) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      replay(seed, checked);
    }

    // Without any, this would show little.
    assertThat(evictions).isGreaterThan(SEEDS);
  }

  private void replay(int seed, boolean checked) {
    Random random = new Random(seed);
    Simulation simulation =
        new Simulation(PreemptionSettings.classical(), Duration.ofMillis(3_137));
    if (checked) {
      simulation.deferringCheck(Duration.ofMillis(5_411));
    }
    for (int queue = 0; queue < 3; queue++) {
      simulation.queue(
          "q" + queue,
          "co",
          2 + random.nextInt(3),
          one(random, "", "borrowingLimit: 1", "lendingLimit: 1"),
          "queueingStrategy: %s, preemption: {withinClusterQueue: %s, reclaimWithinCohort: %s}%s"
              .formatted(
                  one(random, "StrictFIFO", "BestEffortFIFO"),
                  one(random, "Never", "LowerPriority"),
                  one(random, "Never", "LowerPriority", "Any"),
                  checked && random.nextBoolean()
                      ? ", admissionChecksStrategy: {admissionChecks: [{name: nodes}]}"
                      : ""));
    }
    for (int arrival = 0; arrival < ARRIVALS; arrival++) {
      simulation.arrives(
          Duration.ofMillis(1 + random.nextInt(120_000)),
          "w" + arrival,
          "q" + random.nextInt(3),
          random.nextInt(3),
          1 + random.nextInt(2),
          Duration.ofMillis(1_000 + random.nextInt(30_000)));
    }
    byte[] file = MemoryRecording.of(simulation, END);

    ReplayReport report =
        MemoryRecording.replay(file, Configuration.defaults(), ReplayChanges.none());

    assertThat(report.differences()).as("seed %d", seed).isEmpty();
    assertThat(MemoryRecording.said(report.replayed()))
        .as("seed %d", seed)
        .isEqualTo(MemoryRecording.decisions(file))
        .hasSizeGreaterThanOrEqualTo(ARRIVALS);
    evictions += report.recorded() - ARRIVALS;
  }

  /**
   * Three Workloads of a CPU each come at 1 s and run for 100 s: on one CPU the last waits for 200
   * s, on two CPUs for 100 s.
   */
  @Test
  void twiceTheQuotaHalvesTheLongestWait() {
    Simulation simulation = new Simulation(PreemptionSettings.classical(), Duration.ZERO);
    simulation.queue("q", "co", 1, "", "");
    for (int arrival = 0; arrival < 3; arrival++) {
      simulation.arrives(Duration.ofSeconds(1), "w" + arrival, "q", 0, 1, Duration.ofSeconds(100));
    }
    byte[] file = MemoryRecording.of(simulation, END);

    ReplayReport report =
        MemoryRecording.replay(
            file,
            Configuration.defaults(),
            new ReplayChanges(Map.of("q/default/cpu", "2"), List.of()));

    assertThat(report.assumptions()).isEmpty();
    ReplayReport.QueueComparison queue = Objects.requireNonNull(report.queues().get("q"));
    assertThat(seconds(queue.recorded())).containsExactly(0L, 100L, 200L);
    assertThat(seconds(queue.replayed())).containsExactly(0L, 0L, 100L);
    assertThat(queue.recorded().waitWithin(0.5)).contains(queue.recorded().waits().get(1));
    // 300 CPU seconds in two hours, of one CPU and of two.
    var recorded = Objects.requireNonNull(queue.recorded().uses().get("default/cpu"));
    var replayed = Objects.requireNonNull(queue.replayed().uses().get("default/cpu"));
    assertThat(recorded.share().orElseThrow()).isCloseTo(300 / 7200.0, within(0.0001));
    assertThat(replayed.share().orElseThrow()).isCloseTo(150 / 7200.0, within(0.0001));
  }

  /** A recording that ends while some wait or run: what isn't known is said. */
  @Test
  void whatHadNotEndedRunsToTheEnd() {
    Simulation simulation = new Simulation(PreemptionSettings.classical(), Duration.ZERO);
    simulation.queue("q", "co", 1, "", "");
    simulation.arrives(Duration.ofSeconds(1), "endless", "q", 0, 1, Duration.ofDays(1));
    simulation.arrives(Duration.ofSeconds(2), "waits", "q", 0, 1, Duration.ofSeconds(5));
    byte[] file = MemoryRecording.of(simulation, END);

    ReplayReport same =
        MemoryRecording.replay(file, Configuration.defaults(), ReplayChanges.none());
    assertThat(same.differences()).isEmpty();
    var queue = Objects.requireNonNull(same.queues().get("q")).replayed();
    assertThat(queue.admitted()).isEqualTo(1);
    assertThat(queue.notAdmitted()).isEqualTo(1);
    assertThat(queue.waitWithin(1)).isEmpty();
    assertThat(same.assumptions())
        .singleElement()
        .asString()
        .startsWith("1 runs had not ended when the recording did");

    ReplayReport more =
        MemoryRecording.replay(
            file,
            Configuration.defaults(),
            new ReplayChanges(Map.of("q/default/cpu", "2"), List.of()));
    assertThat(Objects.requireNonNull(more.queues().get("q")).replayed().notAdmitted()).isZero();
    assertThat(more.assumptions()).hasSize(2);
  }

  private static List<Long> seconds(ReplayReport.QueueFigures figures) {
    return figures.waits().stream().map(wait -> Math.round(wait.toMillis() / 1000.0)).toList();
  }

  private static String one(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
