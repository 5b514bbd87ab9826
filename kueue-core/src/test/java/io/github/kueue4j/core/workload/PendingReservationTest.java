// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.workload;

import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.PreemptionOrder;
import io.github.kueue4j.core.state.WriteOutcomes;
import io.github.kueue4j.core.testing.TeamState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The scheduler changes its mind while a worker is about to write a reservation. */
class PendingReservationTest {
  private final TeamState team = new TeamState(null, PreemptionSettings.classical());
  private final Outcomes outcomes = new Outcomes();

  @Test
  void whatWasCancelledIsNotSent() {
    PendingReservation reservation = reservationOfLow();

    team.arriving("high", "lq", 1, 10);

    assertThat(
            reservation.send(
                () -> {
                  throw new AssertionError("was sent");
                }))
        .isEmpty();
    assertThat(reservation.decision()).isNull();
  }

  /** An outcome would be taken for that of the next reservation, which may be equal. */
  @Test
  void whatWasCancelledHasNoOutcome() {
    PendingReservation reservation = reservationOfLow();

    team.arriving("high", "lq", 1, 10);
    reservation.abandon();

    assertThat(outcomes.failed).isEmpty();
  }

  @Test
  void whatMayHaveBeenSentIsNotCancelled() {
    PendingReservation reservation = reservationOfLow();

    assertThatThrownBy(
            () ->
                reservation.send(
                    () -> {
                      throw new IllegalStateException("the answer was lost");
                    }))
        .hasMessage("the answer was lost");
    team.arriving("high", "lq", 1, 10);

    assertThat(team.outbox().reservation(key("low"))).isNotNull();
    assertThat(team.outbox().reservation(key("high"))).isNull();
    reservation.abandon();
    assertThat(outcomes.failed).containsExactly("low");
  }

  private PendingReservation reservationOfLow() {
    team.clusterQueue("cq", "preemption: {withinClusterQueue: LowerPriority}, " + cpus(1));
    team.localQueue("lq", "cq", 0);
    team.arriving("low", "lq", 1, 0);
    return new PendingReservation(key("low"), team.outbox(), outcomes, null);
  }

  private static final class Outcomes implements WriteOutcomes {
    final List<String> failed = new ArrayList<>();

    @Override
    public void reservationFailed(ObjectKey key, Decision.ReserveQuota decision, Duration pause) {
      failed.add(key.name());
    }

    @Override
    public void written(Workload workload) {
      throw new AssertionError("nothing is written here");
    }

    @Override
    public void reservationWritten(
        ObjectKey key, Decision.ReserveQuota decision, Workload written) {
      throw new AssertionError("nothing is written here");
    }

    @Override
    public void preemptionFailed(PreemptionOrder order, Duration pause) {
      throw new AssertionError("nothing is preempted here");
    }

    @Override
    public void catchUp() {
      throw new AssertionError("nothing is admitted here");
    }
  }
}
