// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.usage.UsagePolicy;
import io.github.kueue4j.testdefaults.Nightly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Schedulers that share nothing, each with all queues of some root Cohorts, decide about each root
 * as one scheduler with all of them does: the same, in the same order, at the same instants. See
 * docs/adr/0018-shards-by-root-cohort.md.
 */
@Tag("thorough")
class ShardsTest {
  private static final int ROOTS = 3;
  private static final int QUEUES_OF_A_ROOT = 4;
  private static final int ARRIVALS = 45;

  @Test
  void eachRootIsDecidedAboutAsByOneScheduler() {
    int preemptions = 0;
    int deferred = 0;
    for (int seed = 0; seed < Nightly.bound(1, 200); seed++) {
      Load load = Load.random(new Random(seed));
      Trace whole = Trace.of(load, root -> true);
      assertThat(whole.finished).as("seed %d", seed).isEqualTo(ARRIVALS);
      for (int shards = 2; shards <= ROOTS; shards++) {
        Map<Integer, List<String>> parts = new TreeMap<>();
        for (int shard = 0; shard < shards; shard++) {
          int remainder = shard;
          int count = shards;
          parts.putAll(Trace.of(load, root -> root % count == remainder).decisions);
        }
        assertThat(parts).as("seed %d on %d shards", seed, shards).isEqualTo(whole.decisions);
      }
      preemptions += whole.preemptions;
      deferred += whole.deferred;
    }
    // Otherwise the loads say little.
    assertThat(preemptions).isPositive();
    assertThat(deferred).isPositive();
  }

  /** Whether a shard has the queues of a root. */
  private interface Shard {
    boolean has(int root);
  }

  private record Cohort(int root, String name, String spec) {}

  private record Queue(int root, String name, String cohort, int cpus, String limits, String more) {
    Queue {
      if (cpus < 1) {
        throw new IllegalArgumentException("a queue without quota");
      }
    }
  }

  private record Arrival(
      int second, int number, Queue queue, int priority, int cpus, int runtime) {}

  /** What administrators and users do, to any scheduler. */
  private record Load(
      PreemptionSettings settings,
      @Nullable UsagePolicy usage,
      List<Cohort> cohorts,
      List<Queue> queues,
      List<Arrival> arrivals) {
    static Load random(Random random) {
      List<Cohort> cohorts = new ArrayList<>();
      List<Queue> queues = new ArrayList<>();
      for (int root = 0; root < ROOTS; root++) {
        String name = "root-" + root;
        cohorts.add(new Cohort(root, name, ""));
        cohorts.add(new Cohort(root, name + "-below", "parentName: " + name));
        for (int number = 0; number < QUEUES_OF_A_ROOT; number++) {
          String cohort = random.nextBoolean() ? name : name + "-below";
          // The names of different roots alternate in every order.
          queues.add(
              new Queue(
                  root,
                  "q-" + number + "-" + root,
                  cohort,
                  1 + random.nextInt(4),
                  one(random, "", "", "borrowingLimit: 1", "lendingLimit: 1", "lendingLimit: 0"),
                  policies(random)));
        }
      }
      List<Arrival> arrivals = new ArrayList<>();
      for (int number = 0; number < ARRIVALS; number++) {
        Queue queue = queues.get(random.nextInt(queues.size()));
        arrivals.add(
            new Arrival(
                random.nextInt(40),
                number,
                queue,
                random.nextInt(3),
                1 + random.nextInt(queue.cpus()),
                1 + random.nextInt(30)));
      }
      return new Load(
          one(
              random,
              PreemptionSettings.classical(),
              PreemptionSettings.fairSharing(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE),
              PreemptionSettings.fairSharing(
                  FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
                  FairSharingStrategy.LESS_THAN_INITIAL_SHARE)),
          one(
              random,
              null,
              new UsagePolicy(Duration.ofMinutes(1), Duration.ofSeconds(10), Map.of(), null)),
          cohorts,
          queues,
          arrivals);
    }

    private static String policies(Random random) {
      String reclaim = one(random, "Never", "LowerPriority", "Any");
      return ("queueingStrategy: %s, preemption: {withinClusterQueue: %s, reclaimWithinCohort: %s%s}"
              + "%s%s")
          .formatted(
              one(random, "StrictFIFO", "BestEffortFIFO", "BestEffortFIFO"),
              one(random, "Never", "LowerPriority", "LowerOrNewerEqualPriority"),
              reclaim,
              reclaim.equals("Never")
                  ? ""
                  : one(random, "", ", borrowWithinCohort: {policy: LowerPriority}"),
              one(random, "", ", admissionChecksStrategy: {admissionChecks: [{name: nodes}]}"),
              one(random, "", ", admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}"));
    }

    @SafeVarargs
    private static <T> T one(Random random, T... choices) {
      return choices[random.nextInt(choices.length)];
    }
  }

  /** What one scheduler decides about its roots. */
  private static final class Trace {
    final Map<Integer, List<String>> decisions = new TreeMap<>();
    final int finished;
    final int preemptions;
    final int deferred;

    static Trace of(Load load, Shard shard) {
      return new Trace(load, shard);
    }

    private Trace(Load load, Shard shard) {
      Simulation simulation = new Simulation(load.settings(), load.usage(), Duration.ofSeconds(3));
      simulation.deferringCheck(Duration.ofSeconds(5));
      Map<String, Integer> roots = new TreeMap<>();
      for (Cohort cohort : load.cohorts()) {
        if (shard.has(cohort.root())) {
          simulation.cohort(cohort.name(), cohort.spec());
          decisions.put(cohort.root(), new ArrayList<>());
        }
      }
      for (Queue queue : load.queues()) {
        if (shard.has(queue.root())) {
          simulation.queue(
              queue.name(), queue.cohort(), queue.cpus(), queue.limits(), queue.more());
          roots.put(queue.name(), queue.root());
        }
      }
      for (Arrival arrival : load.arrivals()) {
        if (shard.has(arrival.queue().root())) {
          simulation.arrives(
              Duration.ofSeconds(arrival.second()),
              "w" + arrival.number(),
              arrival.queue().name(),
              arrival.priority(),
              arrival.cpus(),
              Duration.ofSeconds(arrival.runtime()));
        }
      }
      simulation.whenDecided(
          all -> {
            for (Decision decision : all) {
              List<String> ofRoot = decisions.get(roots.get(decision.clusterQueue()));
              ofRoot.add(simulation.now() + " " + words(decision));
            }
          });
      simulation.run(Duration.ofHours(1));
      finished = simulation.finished();
      preemptions = simulation.preemptions();
      deferred = simulation.deferred();
    }

    private static String words(Decision decision) {
      String head = decision.workload().key().name() + " in " + decision.clusterQueue() + ": ";
      return head
          + switch (decision) {
            case Decision.ReserveQuota reserve ->
                "reserves " + reserve.usage() + names(reserve.deferred());
            case Decision.Preempt preempt -> "preempts" + names(preempt.targets());
            case Decision.Skipped skipped -> "skipped, " + skipped.why();
            case Decision.Inadmissible refused -> "refused, " + refused.message();
          };
    }

    private static String names(List<Target> targets) {
      StringBuilder names = new StringBuilder();
      targets.forEach(target -> names.append(' ').append(target.candidate().key().name()));
      return names.toString();
    }
  }
}
