// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.forecast.Foresight;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.recording.MemoryRecording;
import io.github.kueue4j.core.recording.ReplayChanges;
import io.github.kueue4j.core.recording.ReplayReport;
import io.github.kueue4j.testdefaults.Nightly;
import io.kubernetes.client.common.KubernetesObject;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any load, replayed without changes, takes the recorded decisions in the recorded order: queues
 * that borrow, reclaim and preempt, with a check that asks for retries or without one.
 */
class ReplayedTracesTest {
  private static final int SEEDS = Nightly.bound(12, 1_000);
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
    MemoryRecording recording = new MemoryRecording(Simulation.START);
    Foresight objects = simulation.read().orElseThrow();
    List.of(
            CoreTypes.NAMESPACE,
            KueueTypes.RESOURCE_FLAVOR,
            KueueTypes.ADMISSION_CHECK,
            KueueTypes.COHORT,
            KueueTypes.CLUSTER_QUEUE,
            KueueTypes.LOCAL_QUEUE)
        .forEach(type -> present(recording, objects, type));
    simulation.whenStored(
        workload -> recording.put(simulation.now(), KueueTypes.WORKLOAD.kind(), workload));
    simulation.run(END);
    byte[] file = recording.end(Simulation.START.plus(END));

    ReplayReport report =
        MemoryRecording.replay(file, Configuration.defaults(), ReplayChanges.none());

    assertThat(report.differences()).as("seed %d", seed).isEmpty();
    assertThat(MemoryRecording.said(report.replayed()))
        .as("seed %d", seed)
        .isEqualTo(MemoryRecording.decisions(file))
        .hasSizeGreaterThanOrEqualTo(ARRIVALS);
    evictions += report.recorded() - ARRIVALS;
  }

  private static <T extends KubernetesObject> void present(
      MemoryRecording recording, Foresight objects, ResourceType<T> type) {
    objects.all(type).forEach(object -> recording.present(type.kind(), object));
  }

  private static String one(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
