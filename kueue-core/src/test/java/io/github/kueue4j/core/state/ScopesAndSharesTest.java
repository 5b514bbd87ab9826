// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.FairSharingStrategy;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Both kinds of fair sharing together (KEP-4136): past usage chooses one head for each scope, and
 * the shares order these heads and choose the victims. Usage doesn't decay here:
 *
 * <pre>
 * all, with all the quota
 * ├─ east, a scope     e1 has used 5, e2 has used 1
 * └─ west, a scope     w1 has used 2, w2 has used 9
 * </pre>
 */
class ScopesAndSharesTest {
  private static final PreemptionSettings BY_SHARES =
      PreemptionSettings.fairSharing(
          FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
          FairSharingStrategy.LESS_THAN_INITIAL_SHARE);

  @Test
  void sharesOrderTheHeadsThatUsageHasChosen() {
    TeamState team = world(BY_SHARES, 6);
    oneOfEachQueueWaits(team);

    team.schedule();

    // First cycle: w1 for west (share 1/6), e2 for east (3/6). Second: w2 (2/6), e1 (4/6).
    assertThat(team.decided())
        .containsExactly(
            "ReserveQuota east-has",
            "ReserveQuota of-w1",
            "ReserveQuota of-e2",
            "ReserveQuota of-w2",
            "ReserveQuota of-e1");
  }

  @Test
  void withoutSharesPriorityOrdersThem() {
    TeamState team = world(PreemptionSettings.classical(), 6);
    oneOfEachQueueWaits(team);

    team.schedule();

    assertThat(team.decided())
        .containsExactly(
            "ReserveQuota east-has",
            "ReserveQuota of-e2",
            "ReserveQuota of-w1",
            "ReserveQuota of-e1",
            "ReserveQuota of-w2");
  }

  @Test
  void theHeadThatUsageHasChosenTakesFromTheLargerShare() {
    TeamState team = world(BY_SHARES, 3);
    for (String name : List.of("east-1", "east-2", "east-3")) {
      team.arriving(name, "e1", 1, 9);
      team.sends(name);
    }
    team.waiting("of-w2", "w2", 1, 9);
    team.waiting("of-w1", "w1", 1, 0);

    team.schedule();

    // West has nothing of 3 and east all of it; the one of w1 it is, though w2's is more important.
    assertThat(team.decided().subList(3, team.decided().size())).contains("Preempt of-w1");
    assertThat(team.decided()).doesNotContain("Preempt of-w2", "ReserveQuota of-w2");
    assertThat(
            List.of("east-1", "east-2", "east-3").stream()
                .filter(name -> team.outbox().preemption(key(name)) != null))
        .hasSize(1);
  }

  @Test
  void aChosenHeadWhoseShareWouldBeTheLargerOneDoesNotPreempt() {
    TeamState team = world(BY_SHARES, 3);
    team.arriving("east-1", "e1", 1, 0);
    team.arriving("west-1", "w1", 2, 0);
    team.waiting("of-w2", "w2", 1, 9);
    team.waiting("of-w1", "w1", 1, 8);

    team.schedule();

    assertThat(team.decided()).noneMatch(decision -> decision.startsWith("Preempt"));
    assertThat(team.decided()).contains("Inadmissible of-w1").doesNotContain("Inadmissible of-w2");
  }

  private static TeamState world(PreemptionSettings settings, int cpus) {
    TeamState team = new TeamState(TeamState.LASTING, settings);
    team.cohort("all", TeamState.cpus(cpus));
    for (String scope : List.of("east", "west")) {
      team.cohort(scope, "parentName: all, " + TeamState.USAGE_SCOPE);
    }
    queue(team, "e1", "east", 5);
    queue(team, "e2", "east", 1);
    queue(team, "w1", "west", 2);
    queue(team, "w2", "west", 9);
    return team;
  }

  /**
   * East has quota; then one Workload of each queue waits. By priority and age they would be served
   * in the order of the lines.
   */
  private static void oneOfEachQueueWaits(TeamState team) {
    team.arriving("east-has", "e1", 2, 0);
    team.waiting("of-e1", "e1", 1, 9);
    team.waiting("of-e2", "e2", 1, 8);
    team.waiting("of-w2", "w2", 1, 7);
    team.waiting("of-w1", "w1", 1, 6);
  }

  /** A ClusterQueue with a LocalQueue of the same name; both have used as much. */
  private static void queue(TeamState team, String name, String cohort, int used) {
    team.clusterQueue(
        name,
        used,
        "cohortName: %s, preemption: {reclaimWithinCohort: Any}, %s"
            .formatted(cohort, TeamState.cpus(0)));
    team.localQueue(name, name, used);
  }
}
