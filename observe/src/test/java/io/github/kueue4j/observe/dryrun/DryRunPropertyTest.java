// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.simulation.SimulatedObjects;
import io.github.kueue4j.core.simulation.Simulation;
import io.github.kueue4j.observe.forecast.Foresight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/**
 * A client reads the objects of a cluster in which Workloads come, run, are preempted and finish,
 * and foresees what becomes of the next Workload.
 */
@Tag("thorough")
class DryRunPropertyTest {
  private static final int ARRIVALS = 20;
  private static final String OUTCOME = "outcome";
  private static final String SAME = "same";

  private final Map<ObjectKey, Decision> decided = new HashMap<>();
  private final Map<String, String> foreseen = new TreeMap<>();
  private final Map<String, String> happened = new TreeMap<>();

  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  @Property(seed = "20261127")
  void aCoreThatHasJustTakenOverDecidesSo(@ForAll long seed) {
    live(new Random(seed), true);

    assertThat(foreseen).isEqualTo(happened);
    foreseen.values().forEach(words -> Statistics.label(OUTCOME).collect(words.split(" ", 2)[0]));
    Statistics.label(OUTCOME)
        .coverage(
            coverage ->
                List.of("gets", "preempts", "waits")
                    .forEach(words -> coverage.check(words).count(count -> count > 0)));
  }

  /**
   * A core remembers more than the objects tell, such as which Workload has preempted others and
   * comes first. That decided about 9 of 20,000 Workloads.
   */
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  @Property(seed = "20261126")
  void aCoreThatRunsDecidesSoAsARule(@ForAll long seed) {
    live(new Random(seed), false);

    assertThat(happened).as("what is foreseen comes").hasSameSizeAs(foreseen);
    foreseen.forEach(
        (name, words) ->
            Statistics.label(OUTCOME).collect(words.equals(happened.get(name)) ? SAME : "other"));
    Statistics.label(OUTCOME)
        .coverage(coverage -> coverage.check(SAME).percentage(percentage -> percentage > 99));
  }

  /**
   * Lives a life.
   *
   * @param takesOver whether another core takes over before each Workload comes
   */
  private void live(Random random, boolean takesOver) {
    List.of(decided, foreseen, happened).forEach(Map::clear);
    boolean fair = random.nextInt(3) == 0;
    Configuration configuration =
        Configuration.parse(
            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                + (fair
                    ? "fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}\n"
                    : ""));
    Simulation simulation =
        new Simulation(
            fair
                ? PreemptionSettings.fairSharing(
                    FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE)
                : PreemptionSettings.classical(),
            Duration.ofSeconds(3));
    simulation.whenDecided(decisions -> decisions.forEach(this::note));
    int queues = queues(simulation, random);
    List<Integer> seconds = new ArrayList<>(IntStream.range(0, 2 * ARRIVALS).boxed().toList());
    Collections.shuffle(seconds, random);
    for (int number = 0; number < ARRIVALS; number++) {
      // No two things happen at one instant. Workloads of one second would have an order that no
      // object tells: that in which the scheduler has seen them first.
      Duration when = Duration.ofSeconds(seconds.get(number)).plusMillis(1 + 7L * number);
      arrives(
          simulation, configuration, Arriving.any("w" + number, queues, random), when, takesOver);
    }
    simulation.run(Duration.ofMinutes(2));
    happened.keySet().retainAll(foreseen.keySet());
  }

  /** A Workload that comes. */
  private record Arriving(String name, String queue, int priority, int cpus, Duration runtime) {
    static Arriving any(String name, int queues, Random random) {
      return new Arriving(
          name,
          "q" + random.nextInt(queues),
          random.nextInt(3),
          1 + random.nextInt(3),
          Duration.ofSeconds(1 + random.nextInt(30)));
    }
  }

  private void arrives(
      Simulation simulation,
      Configuration configuration,
      Arriving next,
      Duration when,
      boolean takesOver) {
    String name = next.name();
    simulation.after(
        when,
        () -> {
          Workload workload =
              SimulatedObjects.workload(
                  name, next.queue(), next.priority(), next.cpus(), simulation.now());
          if (!simulation.pauses()) {
            Optional<Decision> decision =
                simulation
                    .readBy(new Foresight())
                    .decision(configuration, workload, simulation.now());
            foreseen.put(name, decision.map(DryRunPropertyTest::words).orElse("waits"));
          }
          if (takesOver) {
            simulation.takeOver();
          }
        });
    simulation.arrives(when, name, next.queue(), next.priority(), next.cpus(), next.runtime());
    simulation.after(
        when.plusMillis(1),
        () -> {
          Decision decision = decided.get(new ObjectKey("team", name));
          happened.put(name, decision == null ? "waits" : words(decision));
        });
  }

  /** A reservation stays; of what comes before one, the last counts. */
  private void note(Decision decision) {
    decided.merge(
        decision.workload().key(),
        decision,
        (one, next) -> one instanceof Decision.ReserveQuota ? one : next);
  }

  private static String words(Decision decision) {
    return switch (decision) {
      case Decision.ReserveQuota reserved -> "gets " + reserved.usage();
      case Decision.Preempt preempt ->
          "preempts "
              + preempt.targets().stream()
                  .map(target -> target.candidate().key() + " " + target.reason())
                  .collect(Collectors.toCollection(TreeSet::new));
      case Decision.Skipped skipped -> "waits";
      case Decision.Inadmissible refused -> "waits";
    };
  }

  private static int queues(Simulation simulation, Random random) {
    int queues = 2 + random.nextInt(3);
    simulation.cohort("left", "parentName: root");
    for (int number = 0; number < queues; number++) {
      String reclaim = any(random, "Never", "LowerPriority", "Any");
      simulation.queue(
          "q" + number,
          any(random, "left", "root"),
          random.nextInt(5),
          any(random, "", "", "borrowingLimit: 1", "lendingLimit: 1"),
          "queueingStrategy: %s, preemption: {withinClusterQueue: %s, reclaimWithinCohort: %s, %s}"
              .formatted(
                  any(random, "StrictFIFO", "BestEffortFIFO", "BestEffortFIFO"),
                  any(random, "Never", "LowerPriority", "LowerOrNewerEqualPriority"),
                  reclaim,
                  reclaim.equals("Never") || random.nextBoolean()
                      ? "borrowWithinCohort: {policy: Never}"
                      : "borrowWithinCohort: {policy: LowerPriority}"));
    }
    return queues;
  }

  private static String any(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
