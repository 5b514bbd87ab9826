// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Where the rules let three Workloads evict each other in turns, though each rule by itself makes
 * sense: which setting permits it, that it gets slower and slower then, and that without the
 * setting it ends. No quota is exceeded meanwhile.
 */
class PreemptionInCirclesTest {
  private static final Duration FOR_EVER = Duration.ofDays(100);

  private static final Duration DAY = Duration.ofDays(1);

  /** Without a brake it would be several thousand: each takes half a minute to stop. */
  private static final int FEW = 3 * (3 + 6 + 24);

  /**
   * The large one of A takes from B, which has more. The small one of B takes from A, which has
   * more now, and some of that stays free. With it, and at the cost of the small one, the large one
   * of B comes back by its priority. By the other strategy A would have to keep as much as B gets.
   */
  @Test
  void sharesBeforeThePreemptionAndPrioritiesWithinAQueue() {
    assertThat(shares(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE))
        .isLessThanOrEqualTo(3);
    assertThat(shares(FairSharingStrategy.LESS_THAN_INITIAL_SHARE)).isBetween(10, FEW);
  }

  private static int shares(FairSharingStrategy strategy) {
    Simulation simulation =
        new Simulation(PreemptionSettings.fairSharing(strategy), Duration.ofSeconds(30));
    simulation.queue("lender", "all", 11, "", "");
    String policies = "preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}";
    simulation.queue("a", "all", 0, "", policies);
    simulation.queue("b", "all", 0, "", policies);
    simulation.arrives(Duration.ZERO, "a-base", "a", 9, 2, FOR_EVER);
    simulation.arrives(Duration.ZERO, "b-base", "b", 9, 3, FOR_EVER);
    simulation.arrives(Duration.ofSeconds(1), "b-large", "b", 1, 6, FOR_EVER);
    simulation.arrives(Duration.ofSeconds(2), "b-small", "b", 0, 2, FOR_EVER);
    simulation.arrives(Duration.ofSeconds(3), "a-large", "a", 0, 6, FOR_EVER);

    simulation.run(DAY);

    return simulation.preemptions();
  }

  /**
   * In A the more important one evicts the other and borrows a little. So the most important one,
   * of B, may evict it and borrow. And so the other one of A may take back what is A's own.
   */
  @Test
  void prioritiesWithinAQueueAndAcrossABorderAndReclaim() {
    assertThat(borrowing("Never")).isLessThanOrEqualTo(3);
    assertThat(borrowing("LowerPriority")).isBetween(10, FEW);
  }

  private static int borrowing(String policy) {
    Simulation simulation = new Simulation(PreemptionSettings.classical(), Duration.ofSeconds(30));
    String policies =
        ("preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any,"
                + " borrowWithinCohort: {policy: %s}}")
            .formatted(policy);
    simulation.queue("a", "all", 3, "", policies);
    simulation.queue("b", "all", 4, "", policies);
    simulation.arrives(Duration.ZERO, "a-own", "a", 0, 3, FOR_EVER);
    simulation.arrives(Duration.ofSeconds(1), "b-small", "b", 0, 2, FOR_EVER);
    simulation.arrives(Duration.ofMinutes(1), "a-more", "a", 1, 4, FOR_EVER);
    simulation.arrives(Duration.ofMinutes(3), "b-most", "b", 2, 5, FOR_EVER);

    simulation.run(DAY);

    return simulation.preemptions();
  }
}
