// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.simulation.Simulation;
import io.github.kueue4j.testdefaults.Nightly;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Of forecasts, about eight in ten come true: that is what their band says. Each life has its seed,
 * so the outcome is always the same.
 */
@Tag("thorough")
class ForecastCalibrationTest {
  private static final int SEEDS = Nightly.bound(2, 8);
  private static final int ARRIVALS = 160;

  /** Every how many arrivals one asks; an answer costs some scheduling. */
  private static final int ASKED = Nightly.bound(21, 7);

  /** Of the first, a history comes about. */
  private static final int UNASKED = 80;

  private final Map<ObjectKey, Instant> got = new HashMap<>();
  private final Map<ObjectKey, Asked> asked = new HashMap<>();

  private final Map<String, Integer> outcomes = new TreeMap<>();

  private record Asked(Instant when, QuotaForecast forecast) {
    String outcome(Instant got) {
      Duration waited = Duration.between(when, got);
      if (forecast.latest().isEmpty()) {
        return "unknown";
      }
      return waited.compareTo(forecast.earliest().orElseThrow()) < 0
          ? "early"
          : waited.compareTo(forecast.latest().orElseThrow()) > 0 ? "late" : "inside";
    }
  }

  @ParameterizedTest
  @EnumSource
  void theBandHolds(Load load) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      live(load, new Random(seed));
    }

    int known = outcomes.values().stream().mapToInt(count -> count).sum() - count("unknown");
    assertThat(100 * count("inside") / known)
        .as("%s", outcomes)
        .isBetween(Nightly.bound(50, 65), Nightly.bound(100, 90));
  }

  private int count(String outcome) {
    return outcomes.getOrDefault(outcome, 0);
  }

  private void live(Load load, Random random) {
    got.clear();
    asked.clear();
    Simulation simulation = new Simulation(PreemptionSettings.classical(), Duration.ofSeconds(3));
    load.queues(simulation);
    simulation.whenDecided(
        decisions ->
            decisions.forEach(
                decision -> {
                  if (decision instanceof Decision.ReserveQuota reserved) {
                    got.putIfAbsent(reserved.workload().key(), simulation.now());
                  }
                }));
    double seconds = 0;
    for (int number = 0; number < ARRIVALS; number++) {
      seconds -= Math.log(1 - random.nextDouble()) * load.between;
      Duration when = Duration.ofMillis((long) (1000 * seconds));
      String name = "w" + number;
      load.arrives(simulation, when, name, random);
      if (number >= UNASKED && number % ASKED == 0) {
        simulation.after(when.plusMillis(1), () -> ask(simulation, new ObjectKey("team", name)));
      }
    }
    simulation.run(Duration.ofDays(30));
    asked.forEach(
        (key, each) ->
            outcomes.merge(each.outcome(Objects.requireNonNull(got.get(key))), 1, Integer::sum));
  }

  private void ask(Simulation simulation, ObjectKey workload) {
    if (got.containsKey(workload) || simulation.pauses()) {
      return;
    }
    QuotaForecast forecast =
        simulation
            .readBy(new Foresight())
            .forecast(Configuration.defaults(), workload, simulation.now());
    asked.put(workload, new Asked(simulation.now(), forecast));
  }

  /** What comes, and where. */
  private enum Load {
    FIFO(110),
    LENDING(55),
    PRIORITIES(120);

    /** Seconds between two Workloads, on average. */
    private final double between;

    Load(double between) {
      this.between = between;
    }

    void queues(Simulation simulation) {
      switch (this) {
        case FIFO -> simulation.queue("a", "", 6, "", "");
        case LENDING -> {
          simulation.cohort("all", "");
          simulation.queue("a", "all", 4, "", "");
          simulation.queue("b", "all", 8, "", "");
        }
        case PRIORITIES ->
            simulation.queue("a", "", 6, "", "preemption: {withinClusterQueue: LowerPriority}");
      }
    }

    void arrives(Simulation simulation, Duration when, String name, Random random) {
      String queue = this == LENDING && random.nextBoolean() ? "b" : "a";
      int priority = this == PRIORITIES && random.nextInt(5) == 0 ? 1 : 0;
      // Two CPUs on average, for five minutes, some for much longer.
      long seconds = 1 + (long) (-Math.log(1 - random.nextDouble()) * 285);
      simulation.arrives(
          when, name, queue, priority, 1 + random.nextInt(3), Duration.ofSeconds(seconds));
    }
  }
}
