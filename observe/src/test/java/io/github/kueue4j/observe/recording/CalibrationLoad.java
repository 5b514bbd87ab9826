// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.simulation.Simulation;
import io.github.kueue4j.core.testing.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The loads on which forecasts are measured. Each day of a load has a seed. */
enum CalibrationLoad {
  STEADY("one queue", 440),
  LENDING("two queues that lend to each other", 220),
  PRIORITIES("one in five of higher priority, which preempts", 480),
  OFFICE_HOURS("office hours", 440),
  CHECKED("a check that answers one in four with a Retry", 515),
  HEAVY_TAILED("heavy-tailed lengths, of minutes to hours", 440),
  REAL_CORE("one queue, a real core on the embedded API server", 440);

  /** What came before has this time to get quota. */
  private static final Duration LAST = Duration.ofHours(2);

  private static final double MEAN_SECONDS = 1140;

  /** The standard deviation of the logarithm: half take less than a third of the mean. */
  private static final double SPREAD = 1.5;

  private static final double LONGEST_SECONDS = Duration.ofHours(6).toSeconds();

  private final String words;

  /** Seconds between two Workloads, on average. */
  private final double between;

  /** A Workload that comes at a time after the start, and takes so long. */
  private record Arrival(
      Duration at, String name, String queue, int priority, int cpus, Duration length) {}

  CalibrationLoad(String words, double between) {
    this.words = words;
    this.between = between;
  }

  /** How many come for each that is asked about, if it is {@code others} on the other loads. */
  int every(int others) {
    return this == LENDING ? 2 * others : others;
  }

  /** The load in a few words. */
  String words() {
    return words;
  }

  /**
   * The recording of a day.
   *
   * @param day its seed
   * @param length for how long Workloads come; half of it at the core, which takes longer
   */
  byte[] recording(int day, Duration length) throws InterruptedException {
    Random random = new Random(day * 1000L);
    Duration comes = this == REAL_CORE ? length.dividedBy(2) : length;
    List<Arrival> arrivals = arrivals(comes, random);
    return this == REAL_CORE
        ? ofCore(arrivals, comes.plus(LAST))
        : MemoryRecording.of(simulation(arrivals, random), comes.plus(LAST));
  }

  private List<Arrival> arrivals(Duration length, Random random) {
    List<Arrival> arrivals = new ArrayList<>();
    double seconds = next(0, random);
    while (seconds < length.toSeconds()) {
      String queue = this == LENDING && random.nextBoolean() ? "b" : "a";
      int priority = this == PRIORITIES && random.nextInt(5) == 0 ? 1 : 0;
      Duration takes = Duration.ofSeconds(1 + (long) takes(random));
      arrivals.add(
          new Arrival(
              Duration.ofMillis((long) (1000 * seconds)),
              "w" + arrivals.size(),
              queue,
              priority,
              1 + random.nextInt(3),
              takes));
      seconds = next(seconds, random);
    }
    return arrivals;
  }

  /** When the next comes, in seconds. */
  private double next(double now, Random random) {
    double hour = now / 3600 % 24;
    double rate = this != OFFICE_HOURS ? 1 : hour > 8 && hour < 18 ? 1.25 : 0.6;
    return now + exponential(random) * between / rate;
  }

  private double takes(Random random) {
    return this == HEAVY_TAILED
        ? Math.min(
            LONGEST_SECONDS,
            MEAN_SECONDS * StrictMath.exp(SPREAD * random.nextGaussian() - SPREAD * SPREAD / 2))
        : MEAN_SECONDS * exponential(random);
  }

  private static double exponential(Random random) {
    return -StrictMath.log(1 - random.nextDouble());
  }

  private Simulation simulation(List<Arrival> arrivals, Random random) {
    Simulation simulation = new Simulation(PreemptionSettings.classical(), Duration.ofSeconds(3));
    if (this == LENDING) {
      simulation.cohort("all", "");
      simulation.queue("a", "all", 4, "", "");
      simulation.queue("b", "all", 8, "", "");
    } else {
      simulation.queue(
          "a",
          "",
          6,
          "",
          this == PRIORITIES
              ? "preemption: {withinClusterQueue: LowerPriority}"
              : this == CHECKED
                  ? "admissionChecksStrategy: {admissionChecks: [{name: nodes}]}"
                  : "");
    }
    if (this == CHECKED) {
      simulation.check((workload, ask) -> answer(random));
    }
    for (Arrival each : arrivals) {
      simulation.arrives(
          each.at(), each.name(), each.queue(), each.priority(), each.cpus(), each.length());
    }
    return simulation;
  }

  private static Simulation.CheckAnswer answer(Random random) {
    Duration after = Duration.ofSeconds(1 + (long) (120 * exponential(random)));
    return random.nextInt(4) == 0
        ? new Simulation.CheckAnswer(after, CheckState.RETRY, 300 + random.nextInt(900))
        : new Simulation.CheckAnswer(after, CheckState.READY, null);
  }

  private static byte[] ofCore(List<Arrival> arrivals, Duration length)
      throws InterruptedException {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=6");
      cluster.startCore();
      try (RecordedCluster recorded = new RecordedCluster(cluster).start()) {
        Duration passed = Duration.ZERO;
        for (Arrival each : arrivals) {
          recorded.run(each.at().minus(passed));
          passed = each.at();
          recorded.job(each.name(), each.cpus(), each.length(), "");
        }
        recorded.run(length.minus(passed));
        return recorded.end();
      }
    }
  }
}
