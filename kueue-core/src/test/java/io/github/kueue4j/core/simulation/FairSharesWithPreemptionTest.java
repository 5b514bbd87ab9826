// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionReason;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.preemption.Target;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.testdefaults.Nightly;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Days of arrivals in ClusterQueues below a tree of Cohorts, all with weights, that take from each
 * other what is more than their fair share (KEP-1714). What must hold follows from the rules, and
 * is compared with plain sums over what runs.
 *
 * <p>There is one flavor of one resource without limits on borrowing and lending, so a Workload of
 * <em>x</em> CPUs fits anywhere once <em>x</em> are free in the whole tree. Let it wait in a queue
 * below node <em>p</em>, let <em>t</em> be a sibling of <em>p</em>, <em>e</em> what either uses in
 * excess of its quota, <em>w</em> their weights, and <em>S</em> the size of the largest Workload.
 * Shares of siblings are <em>max(0, e) / w</em> but for a factor that they have in common. When it
 * was last tried, with <em>f</em> free, the search took victims of <em>v</em> CPUs in vain and
 * permitted no other; since then no quota has been released, or it would have been tried again. So,
 * at every instant at which no victim is on its way out:
 *
 * <ol>
 *   <li>less than <em>x</em> is free;
 *   <li>its queue has not <em>x</em> left of its own quota: within that, Workloads that borrow it
 *       are preempted whatever the shares are, and once no queue borrows it the quota is free;
 *   <li>{@code LessThanOrEqualToFinalShare} refused every Workload of <em>t</em> that was left, so
 *       without one of at most <em>S</em> the share of <em>t</em> would be below that of <em>p</em>
 *       with <em>x</em>. Besides, <em>t</em> may have been counted without the <em>v</em>, and may
 *       have taken the <em>f</em> since; <em>v + f &lt; x</em>, or there would have been room: <br>
 *       <em>e(t) &lt; x + S + w(t) · max(0, e(p) + x) / w(p)</em>;
 *   <li>{@code LessThanInitialShare} counts the share before the victim is gone, so the same holds
 *       without <em>S</em>. As the second strategy it only permits more than the first does alone;
 *   <li>for <em>w(t) = 0</em> the last term is 0: such a node keeps nothing of what it borrows. A
 *       <em>p</em> of weight 0 that would borrow has no claim on its siblings.
 * </ol>
 *
 * <p>If all Workloads are of the same size, an arrival has at most one other preempted, and nothing
 * else preempts. The victim's side had the largest share and still has no less than the
 * preemptor's, so the victim finds no victim of its own in turn; and a Workload that waited before
 * would now have to take from a share that isn't larger than those it could not take from. When a
 * Workload finishes, the smallest share gets its quota, and the same argument holds. Hence there
 * are never more preemptions than arrivals, and each makes the larger of two shares smaller.
 *
 * <p>With sizes that differ there is no such bound. Within queues that also preempt by priority,
 * {@code LessThanInitialShare} can go in circles (see docs/COMPATIBILITY.md), so such queues take
 * part here with the other strategy only.
 */
@Tag("thorough")
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class FairSharesWithPreemptionTest {
  /** In which they arrive. */
  private static final Duration DAYS = Duration.ofDays(Nightly.bound(3, 7));

  private static final int QUEUES = Nightly.bound(20, 50);
  private static final int BURSTS = Nightly.bound(1, 2);

  static List<List<FairSharingStrategy>> strategies() {
    return List.of(
        List.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE),
        List.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
        List.of(
            FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
            FairSharingStrategy.LESS_THAN_INITIAL_SHARE));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void sharesStayWithinTheirBounds(List<FairSharingStrategy> strategies) {
    Days days = new Days(strategies, 6, List.of("Never"));

    days.pass();

    assertThat(days.simulation.preemptions()).isPositive();
    assertThat(days.compared).isPositive();
  }

  @Test
  void prioritiesWithinQueuesDoNotChangeThat() {
    Days days =
        new Days(
            strategies().getFirst(),
            6,
            List.of("Never", "LowerPriority", "LowerOrNewerEqualPriority"));

    days.pass();

    assertThat(days.simulation.preemptions()).isPositive();
    assertThat(days.compared).isPositive();
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void ofEqualSizesAnArrivalPreemptsOneAtMost(List<FairSharingStrategy> strategies) {
    Days days = new Days(strategies, 1, List.of("Never"));
    days.simulation.whenDecided(days::lowersTheLarger);

    days.pass();

    assertThat(days.simulation.preemptions()).isBetween(1, days.arrivals);
  }

  private static final class Days {
    final Simulation simulation;
    final int arrivals;
    int compared;
    private final FairTree tree;
    private final List<FairSharingStrategy> strategies;
    private final int largest;

    /**
     * Queues and arrivals.
     *
     * @param largest CPUs of the largest Workload; the smallest has 1
     * @param within policies within ClusterQueues, which take turns
     */
    Days(List<FairSharingStrategy> strategies, int largest, List<String> within) {
      this.strategies = strategies;
      this.largest = largest;
      this.simulation =
          new Simulation(
              PreemptionSettings.fairSharing(strategies.toArray(FairSharingStrategy[]::new)),
              Duration.ofSeconds(30));
      this.tree = new FairTree(simulation);
      tree.cohort("all", null, 1);
      for (int i = 0; i < 5; i++) {
        tree.cohort("c" + i, "all", 1 + i % 3);
      }
      tree.cohort("c4-a", "c4", 1);
      tree.cohort("c4-b", "c4", 2);
      for (int i = 0; i < QUEUES; i++) {
        String cohort = "c" + i % 5;
        tree.queue(
            "q" + i,
            cohort.equals("c4") ? (i % 2 == 0 ? "c4-a" : "c4-b") : cohort,
            i == 17 ? 0 : List.of(1.0, 2.0, 0.5).get(i % 3),
            i % 4 == 0 ? 0 : (largest + 1) / 2,
            "queueingStrategy: %s, preemption: {reclaimWithinCohort: Any, withinClusterQueue: %s}"
                .formatted(
                    strict("q" + i) ? "StrictFIFO" : "BestEffortFIFO",
                    within.get(i % within.size())));
      }
      this.arrivals = arrive();
      simulation.whenAtRest(this::look);
    }

    private static boolean strict(String queue) {
      return Integer.parseInt(queue.substring(1)) % 7 < 3;
    }

    /** Every queue has bursts of more than it has quota for, and is idle otherwise. */
    private int arrive() {
      Random dice = new Random(1714);
      int number = 0;
      for (String queue : tree.queues()) {
        for (int burst = 0; burst < BURSTS; burst++) {
          int start = dice.nextInt((int) DAYS.toSeconds());
          int jobs = 3 + dice.nextInt(6);
          for (int job = 0; job < jobs; job++) {
            simulation.arrives(
                Duration.ofSeconds(start + dice.nextInt(7_200)),
                "w" + number++,
                queue,
                dice.nextInt(3),
                1 + dice.nextInt(largest),
                Duration.ofMinutes(60 + dice.nextInt(600)));
          }
        }
      }
      return number;
    }

    /** Until all is done. */
    void pass() {
      simulation.run(DAYS.multipliedBy(4));
      assertThat(simulation.finished()).isEqualTo(arrivals);
    }

    private void look() {
      if (simulation.evicting()) {
        return;
      }
      Map<String, Integer> excess = tree.excess(simulation::running);
      simulation
          .waiting()
          .forEach(
              (queue, waiting) -> {
                Set<Integer> sizes = new HashSet<>();
                for (Simulation.Waiting workload :
                    strict(queue) ? waiting.subList(0, 1) : waiting) {
                  if (sizes.add(workload.cpus())) {
                    inBounds(queue, workload, excess);
                  }
                }
              });
    }

    private void inBounds(String queue, Simulation.Waiting workload, Map<String, Integer> excess) {
      int asked = workload.cpus();
      String about = workload + " of " + queue + " at " + simulation.now();
      assertThat(-of(tree.node("all"), excess)).as("free, for %s", about).isLessThan(asked);
      assertThat(of(tree.node(queue), excess) + asked)
          .as("beyond its own quota, for %s", about)
          .isPositive();
      int last = strategies.getFirst() == FairSharingStrategy.LESS_THAN_INITIAL_SHARE ? 0 : largest;
      for (FairTree.Node own : tree.way(queue)) {
        int wanted = Math.max(0, of(own, excess) + asked);
        if (own.weight() == 0 && wanted > 0) {
          continue;
        }
        double perWeight = wanted == 0 ? 0 : wanted / own.weight();
        for (FairTree.Node other : tree.siblings(own)) {
          if (of(other, excess) > 0) {
            compared++;
            assertThat((double) of(other, excess))
                .as("excess of %s over %s, for %s", other, own, about)
                .isLessThan(asked + last + other.weight() * perWeight);
          }
        }
      }
    }

    private static int of(FairTree.Node node, Map<String, Integer> excess) {
      return excess.getOrDefault(node.name(), 0);
    }

    /** The share that grows stays below what the other one was. */
    private void lowersTheLarger(List<Decision> decisions) {
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Preempt preempt && !preempt.recomputed()) {
          Map<String, Integer> after = after(preempt);
          List<FairTree.Node> own = tree.way(preempt.clusterQueue());
          for (Target target : preempt.targets()) {
            if (target.reason() == PreemptionReason.IN_COHORT_FAIR_SHARING) {
              FairTree.Node other =
                  tree.way(target.candidate().clusterQueue()).stream()
                      .takeWhile(node -> !own.contains(node))
                      .reduce((lower, upper) -> upper)
                      .orElseThrow();
              FairTree.Node mine =
                  own.stream()
                      .filter(node -> tree.siblings(node).contains(other))
                      .findFirst()
                      .orElseThrow();
              assertThat(tree.share(mine, tree.excess(after::get)))
                  .as("%s", decision)
                  .isLessThan(tree.share(other, tree.excess(simulation::reserved)));
            }
          }
        }
      }
    }

    private Map<String, Integer> after(Decision.Preempt preempt) {
      Map<String, Integer> after = new HashMap<>();
      tree.queues().forEach(queue -> after.put(queue, simulation.reserved(queue)));
      after.merge(preempt.clusterQueue(), cpus(preempt.usage().get(Simulation.CPU)), Integer::sum);
      for (Target target : preempt.targets()) {
        after.merge(
            target.candidate().clusterQueue(),
            -cpus(target.candidate().usage().get(Simulation.CPU)),
            Integer::sum);
      }
      return after;
    }

    private static int cpus(long milli) {
      return (int) (milli / 1000);
    }
  }
}
