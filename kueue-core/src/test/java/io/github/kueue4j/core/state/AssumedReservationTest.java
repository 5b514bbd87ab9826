// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scheduler changes its mind while a worker is about to write a reservation. */
class AssumedReservationTest {
  private static final int ROUNDS = 10_000;
  private static final int SPINS = 200;

  private final TeamState team = new TeamState(null, PreemptionSettings.classical());
  private final Outcomes outcomes = new Outcomes();

  @Test
  void whatWasCancelledIsNotSent() {
    AssumedReservation reservation = reservationOfLow();

    team.arriving("high", "lq", 1, 10);

    assertThat(
            reservation.send(
                () -> {
                  throw new AssertionError("was sent");
                },
                outcomes))
        .isEmpty();
    assertThat(team.outbox().reservation(key("low"))).isNull();
  }

  /** An outcome would be taken for that of the next reservation, which may be equal. */
  @Test
  void whatWasCancelledHasNoOutcome() {
    AssumedReservation reservation = reservationOfLow();

    team.arriving("high", "lq", 1, 10);
    reservation.failed(null, Duration.ZERO, outcomes);

    assertThat(outcomes.failed).isEmpty();
  }

  @Test
  void whatMayHaveBeenSentIsNotCancelled() {
    AssumedReservation reservation = reservationOfLow();

    assertThatThrownBy(
            () ->
                reservation.send(
                    () -> {
                      throw new IllegalStateException("the answer was lost");
                    },
                    outcomes))
        .hasMessage("the answer was lost");
    team.arriving("high", "lq", 1, 10);

    assertThat(team.outbox().reservation(key("low"))).isNotNull();
    assertThat(team.outbox().reservation(key("high"))).isNull();
    reservation.failed(null, Duration.ZERO, outcomes);
    assertThat(outcomes.failed).containsExactly("low");
  }

  /** If each took it to be ended by the other, its quota would be counted for ever. */
  @Test
  void eitherTheWorkerOrTheSchedulerEndsIt() {
    Decision.ReserveQuota decision = reservationOfLow().decision();
    List<Boolean> cancelled = new ArrayList<>();
    Map<ObjectKey, AssumedReservation> open =
        new HashMap<>() {
          @Override
          public boolean remove(Object key, Object reservation) {
            boolean removed = super.remove(key, reservation);
            if (cancelled.isEmpty()) {
              // The scheduler comes in the midst of it.
              cancelled.add(false);
              cancelled.add(((AssumedReservation) reservation).cancel());
            }
            return removed;
          }
        };
    AssumedReservation reservation = new AssumedReservation(open, decision);
    open.put(reservation.key(), reservation);

    boolean ended = reservation.end();

    assertThat(cancelled.getLast()).isNotEqualTo(ended);
    assertThat(open).isEmpty();
  }

  /** The same beside each other: what is sent is never cancelled. */
  @Test
  void whatTheWorkerBeginsToSendTheSchedulerDoesNotCancel() {
    Decision.ReserveQuota decision = reservationOfLow().decision();
    Map<ObjectKey, AssumedReservation> open = new ConcurrentHashMap<>();
    List<AssumedReservation> reservations =
        Stream.generate(() -> new AssumedReservation(open, decision)).limit(ROUNDS).toList();
    CyclicBarrier start = new CyclicBarrier(2);
    AtomicInteger sending = new AtomicInteger();
    AtomicInteger cancelling = new AtomicInteger();
    BitSet sent = new BitSet(ROUNDS);
    BitSet cancelled = new BitSet(ROUNDS);
    try (Actors actors = Actors.onPlatformThreads("reservation")) {
      Act<Boolean> worker =
          actors.start(
              () -> {
                start.await();
                for (int round = 0; round < ROUNDS; round++) {
                  sent.set(round, reservations.get(round).begin());
                  meet(sending, cancelling);
                }
              });
      Act<Boolean> scheduler =
          actors.start(
              () -> {
                start.await();
                for (int round = 0; round < ROUNDS; round++) {
                  cancelled.set(round, reservations.get(round).cancel());
                  meet(cancelling, sending);
                }
              });
      worker.get();
      scheduler.get();
    }

    BitSet either = (BitSet) sent.clone();
    either.xor(cancelled);
    assertThat(either.cardinality()).as("either sent or cancelled").isEqualTo(ROUNDS);
  }

  /** Lets the slower one catch up, without depending on it. */
  private static void meet(AtomicInteger own, AtomicInteger other) {
    int round = own.incrementAndGet();
    for (int spins = 0; spins < SPINS && other.get() < round; spins++) {
      Thread.onSpinWait();
    }
  }

  /** The answer to the write was lost, and the informer is quicker than the next try. */
  @Test
  void whatTheStateHasSeenReservedIsNotSentAgain() {
    AssumedReservation reservation = reservationOfLow();
    reservation.begin();

    team.holding("low", "lq", "cq", 1, 0, 0, "]");
    team.waiting("low", "lq", 1, 0);

    assertThat(reservation.begin()).as("may be sent again").isFalse();
    assertThat(team.outbox().reservation(key("low"))).isNull();
  }

  @Test
  void itEndsWithItsOutcome() {
    AssumedReservation refused = reservationOfLow();

    team.state().workloads().reservationFailed(refused, Duration.ZERO, TeamState.NOW);

    assertThat(refused.begin()).as("may be sent").isFalse();
    assertThat(team.outbox().reservation(key("low"))).isNull();
  }

  private AssumedReservation reservationOfLow() {
    team.clusterQueue("cq", "preemption: {withinClusterQueue: LowerPriority}, " + cpus(1));
    team.localQueue("lq", "cq", 0);
    team.arriving("low", "lq", 1, 0);
    return Objects.requireNonNull(team.outbox().reservation(key("low")));
  }

  private static final class Outcomes implements WriteOutcomes {
    final List<String> failed = new ArrayList<>();

    @Override
    public void reservationFailed(AssumedReservation reservation, Duration pause) {
      failed.add(reservation.key().name());
    }

    @Override
    public void written(Workload workload) {
      throw new AssertionError("nothing is written here");
    }

    @Override
    public void reservationWritten(AssumedReservation reservation, Workload written) {
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
