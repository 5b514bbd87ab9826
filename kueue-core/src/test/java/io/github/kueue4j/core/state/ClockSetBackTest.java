// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.testing.TeamState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The clock is set back between the end of a pause and the moment when the State hears of it. */
class ClockSetBackTest {
  private static final Instant PAUSE_ENDS = NOW.plusSeconds(1);
  private static final Instant SET_BACK = NOW.minus(Duration.ofHours(1));

  private final TeamState team = new TeamState(null, PreemptionSettings.classical());

  @Test
  void aWorkloadWhoseReservationFailedIsTriedAgain() {
    team.clusterQueue("cq", cpus(2));
    team.localQueue("lq", "cq", 0);
    team.waiting("w", "lq", 1, 0);
    team.schedule();
    Decision.ReserveQuota decision = Objects.requireNonNull(team.outbox().reservation(key("w")));
    team.outbox().settle(key("w"), decision);
    team.state().workloads().reservationFailed(key("w"), decision, PAUSE_ENDS, NOW);
    team.schedule();
    assertThat(team.reserved()).as("during the pause").containsExactly("w");

    team.state().workloads().reconsider(key("w"), PAUSE_ENDS, SET_BACK);
    team.schedule();

    assertThat(team.reserved()).containsExactly("w", "w");
  }

  @Test
  void aTimerOfAnEarlierPauseDoesNotEndALaterOne() {
    team.clusterQueue("cq", cpus(2));
    team.localQueue("lq", "cq", 0);
    team.waiting("w", "lq", 1, 0);
    team.schedule();
    Decision.ReserveQuota decision = Objects.requireNonNull(team.outbox().reservation(key("w")));
    team.outbox().settle(key("w"), decision);
    team.state().workloads().reservationFailed(key("w"), decision, PAUSE_ENDS, NOW);

    team.state().workloads().reconsider(key("w"), PAUSE_ENDS.minusMillis(1), SET_BACK);
    team.schedule();

    assertThat(team.reserved()).containsExactly("w");
  }
}
