// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.testdefaults.Nightly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A day of arrivals, a week in a nightly build. The simulation itself sees to it that no quota is
 * ever exceeded.
 */
@Tag("thorough")
@Execution(ExecutionMode.CONCURRENT)
class SimulationTest {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final int QUEUES = 50;

  /** In each Cohort of the tree. */
  private static final int QUEUES_OF_A_COHORT = Nightly.bound(4, 10);

  private static final int ARRIVALS = Nightly.bound(300, 2_000);

  /** While they arrive there is a little less quota than they ask for. */
  private static final Duration BUSY = WEEK.multipliedBy(ARRIVALS).dividedBy(2_000);

  @Test
  void strictQueuesServeInTheOrderOfArrival() {
    Simulation simulation = new Simulation(PreemptionSettings.classical(), Duration.ofSeconds(30));
    for (int i = 0; i < QUEUES; i++) {
      simulation.queue(
          "q" + i,
          "cohort-" + i / 10,
          6,
          "borrowingLimit: 12",
          "queueingStrategy: " + (i % 2 == 0 ? "StrictFIFO" : "BestEffortFIFO"));
    }
    Map<String, List<String>> arrivals = arrive(simulation, 1);

    simulation.run(WEEK.multipliedBy(4));

    assertThat(simulation.finished()).isEqualTo(ARRIVALS);
    for (int i = 0; i < QUEUES; i += 2) {
      assertThat(simulation.reservations("q" + i)).isEqualTo(arrivals.get("q" + i));
    }
  }

  @Test
  void everyWorkloadFinishesDespitePreemption() {
    Simulation simulation = new Simulation(PreemptionSettings.classical(), Duration.ofSeconds(30));
    for (int i = 0; i < QUEUES; i++) {
      simulation.queue(
          "q" + i,
          "cohort-" + i / 10,
          6,
          i % 3 == 0 ? "lendingLimit: 4" : "",
          """
          queueingStrategy: %s, preemption: {withinClusterQueue: %s, reclaimWithinCohort: %s,
            borrowWithinCohort: {policy: %s}}
          """
              .formatted(
                  i % 2 == 0 ? "StrictFIFO" : "BestEffortFIFO",
                  List.of("Never", "LowerPriority", "LowerOrNewerEqualPriority").get(i % 3),
                  i % 5 == 0 ? "LowerPriority" : "Any",
                  i % 4 == 0 ? "LowerPriority" : "Never"));
    }
    arrive(simulation, 4);

    simulation.run(WEEK.multipliedBy(8));

    assertThat(simulation.finished()).isEqualTo(ARRIVALS);
    assertThat(simulation.preemptions()).isPositive();
  }

  /** Three queues want more than there is, all the time. */
  @Test
  void fairSharingGivesEachItsShare() {
    Simulation simulation =
        new Simulation(
            PreemptionSettings.fairSharing(
                FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
                FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
            Duration.ofSeconds(30));
    simulation.queue("lender", "all", Nightly.bound(20, 40), "", "");
    String policy = "preemption: {reclaimWithinCohort: Any}, fairSharing: {weight: %s}";
    simulation.queue("one", "all", 0, "", policy.formatted("1"));
    simulation.queue("other", "all", 0, "", policy.formatted("1"));
    simulation.queue("twice", "all", 0, "", policy.formatted("2"));
    Random dice = new Random(7);
    for (String queue : List.of("one", "other", "twice")) {
      for (int i = 0; i < Nightly.bound(200, 900); i++) {
        simulation.arrives(
            Duration.ofSeconds(dice.nextInt(3_600)),
            queue + "-" + i,
            queue,
            dice.nextInt(3),
            1 + dice.nextInt(3),
            Duration.ofMinutes(5 + dice.nextInt(20)));
      }
    }

    simulation.run(Duration.ofHours(Nightly.bound(8, 12)));

    double one = simulation.cpuSeconds("one");
    assertThat(simulation.cpuSeconds("other") / one).isCloseTo(1, within(0.15));
    assertThat(simulation.cpuSeconds("twice") / one).isCloseTo(2, within(0.3));
  }

  /** Queues want more than there is; one of their five Cohorts counts twice. */
  @Test
  void fairSharingHoldsOnAWholeTree() {
    Simulation simulation =
        new Simulation(
            PreemptionSettings.fairSharing(
                FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
                FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
            Duration.ofSeconds(30));
    simulation.cohort("all", "");
    simulation.queue("lender", "all", 15 * QUEUES_OF_A_COHORT, "", "");
    Random dice = new Random(11);
    for (int cohort = 0; cohort < 5; cohort++) {
      simulation.cohort(
          "cohort-" + cohort,
          "parentName: all, fairSharing: {weight: " + (cohort == 0 ? 2 : 1) + "}");
      for (int i = 0; i < QUEUES_OF_A_COHORT; i++) {
        String queue = "q" + cohort + i;
        simulation.queue(queue, "cohort-" + cohort, 0, "", "");
        for (int job = 0; job < (cohort == 0 ? 2 : 1) * Nightly.bound(10, 16); job++) {
          simulation.arrives(
              Duration.ofSeconds(dice.nextInt(1_800)),
              queue + "-" + job,
              queue,
              dice.nextInt(3),
              1 + dice.nextInt(2),
              Duration.ofMinutes(30 + dice.nextInt(60)));
        }
      }
    }

    simulation.run(Duration.ofHours(4));

    double rest = 0;
    for (int cohort = 1; cohort < 5; cohort++) {
      rest += ofCohort(simulation, cohort) / 4;
    }
    for (int cohort = 0; cohort < 5; cohort++) {
      assertThat(ofCohort(simulation, cohort) / rest)
          .as("cohort %d", cohort)
          .isCloseTo(cohort == 0 ? 2 : 1, within(0.25));
      // Shares have no memory, and a queue runs two Jobs at a time here: no more can be said of
      // one.
      double mean = ofCohort(simulation, cohort) / QUEUES_OF_A_COHORT;
      for (int i = 0; i < QUEUES_OF_A_COHORT; i++) {
        assertThat(simulation.cpuSeconds("q" + cohort + i) / mean)
            .as("queue %d of cohort %d", i, cohort)
            .isBetween(0.3, 2.5);
      }
    }
  }

  private static double ofCohort(Simulation simulation, int cohort) {
    return IntStream.range(0, QUEUES_OF_A_COHORT)
        .mapToDouble(i -> simulation.cpuSeconds("q" + cohort + i))
        .sum();
  }

  /** Four tenants want more than there is, in Jobs of different sizes. */
  @Test
  void pastUsageGivesTenantsEqualPartsWhateverTheSizeOfTheirJobs() {
    Simulation simulation =
        new Simulation(
            PreemptionSettings.classical(),
            new UsagePolicy(Duration.ofHours(12), Duration.ofMinutes(5), Map.of(), null),
            Duration.ofSeconds(30));
    simulation.queue(
        "shared",
        "alone",
        20,
        "",
        "queueingStrategy: StrictFIFO, admissionScope: {admissionMode:"
            + " UsageBasedAdmissionFairSharing}");
    Random dice = new Random(5);
    List<Integer> sizes = List.of(1, 2, 4, 8);
    for (int size : sizes) {
      simulation.localQueue("size-" + size, "shared");
      for (int i = 0; i < 600 / size; i++) {
        simulation.arrives(
            Duration.ofSeconds(dice.nextInt(3_600)),
            "size-" + size + "-" + i,
            "size-" + size,
            dice.nextInt(3),
            size,
            Duration.ofMinutes(30 + dice.nextInt(60)));
      }
    }

    simulation.run(Duration.ofDays(3));

    double mean = sizes.stream().mapToDouble(size -> used(simulation, size)).sum() / sizes.size();
    for (int size : sizes) {
      assertThat(used(simulation, size) / mean).as("size %d", size).isCloseTo(1, within(0.1));
    }
  }

  private static double used(Simulation simulation, int size) {
    return simulation.cpuSeconds("size-" + size);
  }

  /** A little more than there is quota for. */
  private static Map<String, List<String>> arrive(Simulation simulation, int priorities) {
    Random dice = new Random(42);
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < ARRIVALS; i++) {
      times.add(Duration.ofSeconds(dice.nextInt((int) BUSY.toSeconds())));
    }
    times.sort(null);
    Map<String, List<String>> arrivals = new HashMap<>();
    for (int i = 0; i < ARRIVALS; i++) {
      String queue = "q" + dice.nextInt(QUEUES);
      String name = "w" + i;
      arrivals.computeIfAbsent(queue, key -> new ArrayList<>()).add(name);
      simulation.arrives(
          times.get(i),
          name,
          queue,
          dice.nextInt(priorities),
          1 + dice.nextInt(6),
          Duration.ofMinutes(30 + dice.nextInt(900)));
    }
    return arrivals;
  }
}
