// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/**
 * Few queues, any policies, any arrivals: quota is never exceeded (the simulation audits it), the
 * scheduler comes to rest at every instant, and whatever can fit at all finishes in the end.
 */
class RandomTracePropertyTest {
  record Queue(
      int cpus, String limits, String within, String reclaim, String borrow, boolean strict) {
    /** Its Workloads wait for a check before they preempt. */
    String deferring() {
      return more() + ", admissionChecksStrategy: {admissionChecks: [{name: nodes}]}";
    }

    String more() {
      return "queueingStrategy: %s, preemption: {withinClusterQueue: %s, reclaimWithinCohort: %s%s}"
          .formatted(
              strict ? "StrictFIFO" : "BestEffortFIFO",
              within,
              reclaim,
              reclaim.equals("Never") ? "" : ", borrowWithinCohort: {policy: " + borrow + "}");
    }
  }

  record Arrival(int second, int queue, int priority, int cpus, int runtime) {}

  @Property
  void everythingThatFitsFinishes(
      @ForAll("queues") List<Queue> queues,
      @ForAll("arrivals") List<Arrival> arrivals,
      @ForAll("settings") PreemptionSettings settings) {
    Simulation simulation = new Simulation(settings, Duration.ofSeconds(3));
    for (int i = 0; i < queues.size(); i++) {
      Queue queue = queues.get(i);
      simulation.queue("q" + i, "co", queue.cpus(), queue.limits(), queue.more());
    }
    arrive(simulation, queues, arrivals);

    simulation.run(Duration.ofDays(1));

    assertThat(simulation.finished()).isEqualTo(arrivals.size());
  }

  /**
   * Some queues let preemption wait for a check (the simulation verifies that no Workload is
   * evicted before), and now and then another core takes over.
   */
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  @Property(seed = "20261127") // so that it isn't chance whether any trace comes to that
  void deferredPreemptionNeverOvercommitsAndLosesNoWorkload(
      @ForAll("queues") List<Queue> queues,
      @ForAll("arrivals") List<Arrival> arrivals,
      @ForAll("settings") PreemptionSettings settings,
      @ForAll @IntRange(max = 7) int deferring,
      @ForAll @Size(max = 3) List<@IntRange(max = 120) Integer> restarts) {
    Simulation simulation = new Simulation(settings, Duration.ofSeconds(3));
    simulation.deferringCheck(Duration.ofSeconds(5));
    for (int i = 0; i < queues.size(); i++) {
      Queue queue = queues.get(i);
      boolean waits = (deferring & (1 << i)) != 0;
      simulation.queue(
          "q" + i, "co", queue.cpus(), queue.limits(), waits ? queue.deferring() : queue.more());
    }
    arrive(simulation, queues, arrivals);
    restarts.forEach(second -> simulation.restarts(Duration.ofSeconds(second)));

    simulation.run(Duration.ofDays(1));

    assertThat(simulation.finished()).isEqualTo(arrivals.size());
    // Of 200 traces some two dozen come to that; without any, this would test nothing new.
    Statistics.label("reservations of promised quota")
        .collect(simulation.deferred() > 0)
        .coverage(coverage -> coverage.check(true).count(count -> count > 0));
  }

  private static void arrive(Simulation simulation, List<Queue> queues, List<Arrival> arrivals) {
    for (int i = 0; i < arrivals.size(); i++) {
      Arrival arrival = arrivals.get(i);
      Queue queue = queues.get(arrival.queue());
      simulation.arrives(
          Duration.ofSeconds(arrival.second()),
          "w" + i,
          "q" + arrival.queue(),
          arrival.priority(),
          // Never more than its own queue has: it must fit some day.
          Math.min(arrival.cpus(), queue.cpus()),
          Duration.ofSeconds(arrival.runtime()));
    }
  }

  @Provide
  Arbitrary<List<Queue>> queues() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 4),
            Arbitraries.of("", "borrowingLimit: 1", "lendingLimit: 1", "lendingLimit: 0"),
            Arbitraries.of("Never", "LowerPriority", "LowerOrNewerEqualPriority"),
            Arbitraries.of("Never", "LowerPriority", "Any"),
            Arbitraries.of("Never", "LowerPriority"),
            Arbitraries.of(true, false))
        .as(Queue::new)
        .list()
        .ofSize(3);
  }

  @Provide
  Arbitrary<List<Arrival>> arrivals() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 60),
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, 30))
        .as(Arrival::new)
        .list()
        .ofMaxSize(20);
  }

  @Provide
  Arbitrary<PreemptionSettings> settings() {
    return Arbitraries.of(
        PreemptionSettings.classical(),
        PreemptionSettings.fairSharing(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE),
        PreemptionSettings.fairSharing(
            FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
            FairSharingStrategy.LESS_THAN_INITIAL_SHARE));
  }
}
