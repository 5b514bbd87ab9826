// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock is set while a Workload pauses: the pause takes as long as it would have. */
class ClockStepTest {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private Instant steady = NOW;
  private final TeamState team = new TeamState(null, PreemptionSettings.classical(), () -> steady);

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "-PT1H", "PT10M", "-PT10M"})
  void thePauseAfterAReservationThatFailed(Duration step) {
    team.clusterQueue("cq", cpus(2));
    team.localQueue("lq", "cq", 0);
    team.waiting("w", "lq", 1, 0);
    team.schedule();
    AssumedReservation reservation = Objects.requireNonNull(team.outbox().reservation(key("w")));
    team.state().workloads().reservationFailed(reservation, PAUSE, NOW);

    steady = NOW.plus(PAUSE).minusMillis(1);
    reconsider(step);
    assertThat(team.reserved()).as("during the pause").containsExactly("w");

    steady = NOW.plus(PAUSE);
    reconsider(step);
    assertThat(team.reserved()).as("after it").containsExactly("w", "w");
  }

  @Test
  void aPauseWhoseTimerHasRunIsOverWhateverTheClockShows() {
    team.clusterQueue("cq", cpus(2));
    team.localQueue("lq", "cq", 0);
    team.waiting("w", "lq", 1, 0);
    team.schedule();
    AssumedReservation reservation = Objects.requireNonNull(team.outbox().reservation(key("w")));
    team.state().workloads().reservationFailed(reservation, PAUSE, NOW);

    // No other timer would end it.
    team.state().workloads().reconsider(key("w"), NOW.plus(PAUSE), NOW);
    team.state().schedule(NOW);

    assertThat(team.reserved()).containsExactly("w", "w");
  }

  private void reconsider(Duration step) {
    Instant now = steady.plus(step);
    team.state().workloads().reconsider(key("w"), steady, now);
    team.state().schedule(now);
  }
}
