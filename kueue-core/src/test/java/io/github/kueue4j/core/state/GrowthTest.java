// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.cpus;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * What the State does per event doesn't grow with the size of the cluster, and what it does for
 * many grows with their number. Measured by the bytes that its thread allocates, since time depends
 * on the machine.
 */
class GrowthTest {
  private static final PreemptionSettings BY_SHARES =
      PreemptionSettings.fairSharing(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE);

  @Test
  void aTurnCostsTheSameHoweverManyQueuesHaveNothingToTry() {
    bytesOfTurnAmong(5);
    long among25 = bytesOfTurnAmong(25);
    long among400 = bytesOfTurnAmong(400);

    // A reservation copies one reference for each node of the quota tree: all that grows.
    assertThat(among400).isLessThan(3 * among25);
  }

  /** A Workload gets the last core of its Cohort, beside others whose Workloads were refused. */
  private static long bytesOfTurnAmong(int cohorts) {
    TeamState team = new TeamState(null, PreemptionSettings.classical());
    for (int number = 0; number < cohorts; number++) {
      addQueue(team, "q" + number, "co" + number, 1);
      team.holding("h" + number, "q" + number, "q" + number, 1, 0, number, "]");
      team.waiting("w" + number, "q" + number, 1, 0);
    }
    team.schedule();
    assertThat(team.reserved()).isEmpty();
    long before = allocated();
    team.state().workloads().deleted(TeamState.key("h0"), TeamState.NOW);
    team.schedule();
    long bytes = allocated() - before;
    assertThat(team.reserved()).containsExactly("w0");
    return bytes;
  }

  @Test
  void queuesThatComeAtOnceCostInProportionToTheirNumber() {
    long of25 = bytesOfQueues(25);
    long of200 = bytesOfQueues(200);

    assertThat(of200).isLessThan(16 * of25);
  }

  /** Queues of one Cohort come, and Workloads that hold quota in them: before or afterwards. */
  private static long bytesOfQueues(int queues) {
    TeamState team = new TeamState(null, PreemptionSettings.classical());
    long before = allocated();
    for (int number = 0; number < queues; number++) {
      if (number % 2 == 0) {
        team.holding("h" + number, "q" + number, "q" + number, 1, 0, 0, "]");
      }
      addQueue(team, "q" + number, "co", 1);
      if (number % 2 == 1) {
        team.holding("h" + number, "q" + number, "q" + number, 1, 0, 0, "]");
      }
    }
    team.schedule();
    long bytes = allocated() - before;
    assertThat(team.state().reports().cohort("co").orElseThrow().admitted()).isZero();
    assertThat(team.state().reports().quotaHeldIn("q" + (queues - 1))).isTrue();
    return bytes;
  }

  @Test
  void theOrderBySharesCostsInProportionToItsHeads() {
    bytesOfCycleWith(5);
    long of25 = bytesOfCycleWith(25);
    long of200 = bytesOfCycleWith(200);

    assertThat(of200).isLessThan(20 * of25);
  }

  /** One cycle in which a head of each queue of one Cohort gets quota. */
  private static long bytesOfCycleWith(int queues) {
    TeamState team = new TeamState(null, BY_SHARES);
    for (int number = 0; number < queues; number++) {
      addQueue(team, "q" + number, "co", 2);
      team.waiting("w" + number, "q" + number, 1, 0);
    }
    assertThat(team.state().reports().cohort("co")).isPresent();
    long before = allocated();
    team.schedule();
    long bytes = allocated() - before;
    assertThat(team.reserved()).hasSize(queues);
    return bytes;
  }

  private static void addQueue(TeamState team, String name, String cohort, int cpus) {
    team.clusterQueue(name, "cohortName: " + cohort + ", " + cpus(cpus));
    team.localQueue(name, name, 0);
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
