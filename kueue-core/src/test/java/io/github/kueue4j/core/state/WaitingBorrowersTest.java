// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.cpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A queue {@code owner} that may reclaim its quota shares a Cohort with queues that have none. Its
 * Workloads and theirs arrive at once.
 */
class WaitingBorrowersTest {
  static List<PreemptionSettings> settings() {
    return List.of(
        PreemptionSettings.classical(),
        PreemptionSettings.fairSharing(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void nobodyIsStartedToBeEvictedByTheOwnersNextWorkload(PreemptionSettings settings) {
    TeamState team = team(settings, 3);
    borrowers(team, 1);
    owners(team, 4);

    team.schedule();

    assertThat(team.reserved()).containsExactly("o0", "o1", "o2");
    assertThat(team.decided()).noneMatch(decision -> decision.startsWith("Preempt"));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void whatTheOwnerLeavesIsBorrowedInTheUsualOrder(PreemptionSettings settings) {
    TeamState team = team(settings, 5);
    borrowers(team, 3);
    team.waiting("urgent", "b2", 1, 9);
    owners(team, 2);

    team.schedule();

    assertThat(team.reserved()).containsExactly("o0", "o1", "urgent", "w0", "w1");
  }

  @ParameterizedTest
  @MethodSource("settings")
  void thoseThatWaitToBorrowAreNotConsideredForEachWorkloadOfTheOwner(PreemptionSettings settings) {
    TeamState team = team(settings, 200);
    borrowers(team, 20);
    owners(team, 100);

    team.schedule();

    assertThat(team.reserved()).hasSize(120).last().isEqualTo("w19");
    // Once in each turn of 64 cycles, and when they get quota.
    assertThat(team.decided()).hasSizeLessThan(100 + 20 + 3 * 20);
  }

  private static TeamState team(PreemptionSettings settings, int quota) {
    TeamState team = new TeamState(null, settings);
    team.clusterQueue(
        "owner", "cohortName: co, preemption: {reclaimWithinCohort: Any}, " + cpus(quota));
    team.localQueue("owner", "owner", 0);
    return team;
  }

  private static void owners(TeamState team, int number) {
    for (int i = 0; i < number; i++) {
      team.waiting("o" + i, "owner", 1, 0);
    }
  }

  /** So many queues without quota, each with a Workload. */
  private static void borrowers(TeamState team, int number) {
    for (int i = 0; i < number; i++) {
      team.clusterQueue("b" + i, "cohortName: co, " + cpus(0));
      team.localQueue("b" + i, "b" + i, 0);
      team.waiting("w" + i, "b" + i, 1, 0);
    }
  }
}
