// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.simulation.Simulation;
import io.github.kueue4j.observe.recording.ForecastOutcome.BandPlace;
import io.github.kueue4j.testdefaults.Nightly;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Of forecasts, about eight in ten come true: that is what their band says. Days are recorded, and
 * when their Workloads get quota is asked with what was known then. Each day has its seed, so the
 * outcome is always the same.
 */
@Tag("thorough")
class ForecastCalibrationTest {
  private static final int SEEDS = Nightly.bound(1, 5);

  /** The ranks of the band were chosen on the days 1 to 5. */
  private static final int FIRST = Nightly.bound(1, 6);

  /** Of how many that come one is asked about. */
  private static final int EVERY = Nightly.bound(40, 5);

  /** What came by the end of the day has the time to get quota. */
  private static final Duration LENGTH = Duration.ofHours(26);

  @Test
  void theBandHolds() throws IOException {
    Map<Load, Map<BandPlace, Integer>> figures = new EnumMap<>(Load.class);
    for (Load load : Load.values()) {
      Map<BandPlace, Integer> places =
          figures.computeIfAbsent(load, any -> new EnumMap<>(BandPlace.class));
      for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        byte[] file = MemoryRecording.of(day(load, new Random(seed * 1000L)), LENGTH);
        ForecastReplay.of(new ByteArrayInputStream(file), Configuration.defaults(), EVERY)
            .forEach(each -> places.merge(each.place(), 1, Integer::sum));
      }
    }

    int inside = figures.values().stream().mapToInt(each -> count(each, BandPlace.INSIDE)).sum();
    int decided = figures.values().stream().mapToInt(ForecastCalibrationTest::decided).sum();
    assertThat(100 * inside / decided)
        .as("of %s", figures)
        .isBetween(Nightly.bound(60, 75), Nightly.bound(95, 85));
    if (SEEDS > 1) {
      figures.forEach(
          (load, places) ->
              assertThat(100 * count(places, BandPlace.INSIDE) / decided(places))
                  .as("%s of %s", load, figures)
                  .isBetween(70, 88));
    }
  }

  private static int count(Map<BandPlace, Integer> places, BandPlace place) {
    return places.getOrDefault(place, 0);
  }

  private static int decided(Map<BandPlace, Integer> places) {
    return count(places, BandPlace.EARLIER)
        + count(places, BandPlace.INSIDE)
        + count(places, BandPlace.LATER);
  }

  private static Simulation day(Load load, Random random) {
    Simulation simulation = new Simulation(PreemptionSettings.classical(), Duration.ofSeconds(3));
    load.queues(simulation);
    double seconds = load.next(0, random);
    for (int number = 0; seconds < Duration.ofDays(1).toSeconds(); number++) {
      load.arrives(simulation, Duration.ofMillis((long) (1000 * seconds)), "w" + number, random);
      seconds = load.next(seconds, random);
    }
    return simulation;
  }

  /** What comes, and where. */
  private enum Load {
    STEADY(440),
    LENDING(220),
    PRIORITIES(480),
    OFFICE_HOURS(440);

    /** Seconds between two Workloads, on average. */
    private final double between;

    Load(double between) {
      this.between = between;
    }

    void queues(Simulation simulation) {
      switch (this) {
        case STEADY, OFFICE_HOURS -> simulation.queue("a", "", 6, "", "");
        case LENDING -> {
          simulation.cohort("all", "");
          simulation.queue("a", "all", 4, "", "");
          simulation.queue("b", "all", 8, "", "");
        }
        case PRIORITIES ->
            simulation.queue("a", "", 6, "", "preemption: {withinClusterQueue: LowerPriority}");
      }
    }

    /** When the next comes, in seconds. */
    double next(double now, Random random) {
      double hour = now / 3600 % 24;
      double rate = this != OFFICE_HOURS ? 1 : hour > 8 && hour < 18 ? 1.25 : 0.6;
      return now - Math.log(1 - random.nextDouble()) * between / rate;
    }

    void arrives(Simulation simulation, Duration when, String name, Random random) {
      String queue = this == LENDING && random.nextBoolean() ? "b" : "a";
      int priority = this == PRIORITIES && random.nextInt(5) == 0 ? 1 : 0;
      // Two CPUs on average, for twenty minutes, some for much longer.
      long seconds = 1 + (long) (-Math.log(1 - random.nextDouble()) * 1140);
      simulation.arrives(
          when, name, queue, priority, 1 + random.nextInt(3), Duration.ofSeconds(seconds));
    }
  }
}
