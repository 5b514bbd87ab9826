// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Workload is preempted whose reservation isn't written yet. */
class CancellationsTest {
  private Instant steady = NOW;
  private final TeamState team = new TeamState(null, PreemptionSettings.classical(), () -> steady);

  @BeforeEach
  void queue() {
    team.clusterQueue("cq", "preemption: {withinClusterQueue: LowerPriority}, " + cpus(4));
    team.localQueue("lq", "cq", 0);
  }

  @Test
  void itsReservationIsCancelledAndNothingIsEvicted() {
    team.arriving("low", "lq", 4, 0);
    team.arriving("high", "lq", 4, 10);

    assertThat(team.outbox().reservation(key("low"))).isNull();
    assertThat(team.outbox().preemption(key("low"))).isNull();
    assertThat(team.outbox().reservation(key("high"))).isNotNull();
    assertThat(team.decided())
        .containsExactly(
            "ReserveQuota low", "Preempt high", "ReserveQuota high", "Inadmissible low");
  }

  @Test
  void itIsEvictedOnceItsReservationMayHaveBeenSent() {
    team.arriving("low", "lq", 4, 0);
    team.sends("low");
    team.arriving("high", "lq", 4, 10);

    assertThat(team.outbox().reservation(key("low"))).isNotNull();
    assertThat(team.outbox().preemption(key("low"))).isNotNull();
    assertThat(team.outbox().reservation(key("high"))).isNull();
  }

  @Test
  void onlyThoseAreEvictedThatMayHaveBeenSent() {
    team.arriving("sent", "lq", 2, 0);
    team.sends("sent");
    team.arriving("unsent", "lq", 2, 0);
    team.arriving("high", "lq", 4, 10);

    assertThat(team.outbox().preemption(key("sent"))).isNotNull();
    assertThat(team.outbox().preemption(key("unsent"))).isNull();
    assertThat(team.reserved()).as("what was released is kept").containsExactly("sent", "unsent");
  }

  @Test
  void whatThePreemptorLeavesGoesToAWorkloadThatTheSameCycleRefused() {
    team.cohort("tree", "");
    team.clusterQueue(
        "cq", "cohortName: tree, preemption: {withinClusterQueue: LowerPriority}, " + cpus(4));
    team.clusterQueue("other", "cohortName: tree, " + cpus(0));
    team.localQueue("lq-other", "other", 0);
    team.arriving("low", "lq", 4, 0);
    team.waiting("high", "lq", 3, 10);
    team.arriving("borrower", "lq-other", 1, 0);

    assertThat(team.reserved()).containsExactly("low", "high", "borrower");
  }

  @Test
  void aSecondReservationWithinASecondIsEvicted() {
    team.arriving("low", "lq", 4, 0);
    team.arriving("high", "lq", 4, 10);
    team.state().workloads().deleted(key("high"), NOW);
    steady = NOW.plusMillis(999);
    team.schedule();
    team.arriving("higher", "lq", 4, 20);

    assertThat(team.outbox().preemption(key("low"))).isNotNull();
  }

  @Test
  void aSecondReservationAfterASecondIsCancelledToo() {
    team.arriving("low", "lq", 4, 0);
    team.arriving("high", "lq", 4, 10);
    team.state().workloads().deleted(key("high"), NOW);
    steady = NOW.plusSeconds(1);
    team.schedule();
    team.arriving("higher", "lq", 4, 20);

    assertThat(team.outbox().preemption(key("low"))).isNull();
    assertThat(team.reserved()).containsExactly("low", "high", "low", "higher");
  }

  /** See docs/adr/0007-preemption-in-circles.md. */
  @Test
  void aWorkloadThatPreemptsAndIsCancelledInTurnsIsSlowedDown() {
    team.arriving("top0", "lq", 2, 9);
    team.arriving("low", "lq", 2, 0);
    team.arriving("middle", "lq", 4, 5);
    for (int round = 1; round <= 4; round++) {
      steady = steady.plusSeconds(1);
      team.state().workloads().deleted(key("top" + (round - 1)), NOW);
      team.schedule();
      assertThat(team.outbox().reservation(key("middle"))).as("round " + round).isNotNull();

      team.arriving("top" + round, "lq", 2, 9);
      assertThat(team.outbox().reservation(key("middle"))).as("round " + round).isNull();
    }

    steady = steady.plusSeconds(1);
    team.state().workloads().deleted(key("top4"), NOW);
    team.schedule();

    assertThat(team.outbox().reservation(key("middle"))).isNull();
    assertThat(team.outbox().reservation(key("low"))).isNotNull();
  }
}
