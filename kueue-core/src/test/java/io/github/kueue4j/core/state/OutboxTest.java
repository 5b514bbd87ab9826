// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.lifecycle.Preemption;
import io.github.kueue4j.core.preemption.Candidate;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.quota.Amounts;
import io.github.kueue4j.core.scheduler.Decision;
import io.github.kueue4j.core.state.Outbox.DuePendingReason;
import io.github.kueue4j.core.testing.Candidates;
import io.github.kueue4j.core.testing.TeamState;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private static final ObjectKey KEY = new ObjectKey("team", "w");
  private final Outbox outbox = new Outbox();

  @Test
  void sayingTheSameAgainDoesNotPutOffWritingIt() {
    assertThat(outbox.pendingReason(KEY, because("WaitingForQuota", "1 more", 10)))
        .isEqualTo(at(10));
    assertThat(outbox.pendingReason(KEY, because("WaitingForQuota", "1 more", 14)))
        .isEqualTo(at(10));
  }

  @Test
  void anotherWordingRestsForTenSecondsAndAnotherReasonDoesNot() {
    outbox.pendingReason(KEY, because("WaitingForQuota", "1 more", 10));

    assertThat(outbox.pendingReason(KEY, because("WaitingForQuota", "2 more", 12)))
        .isEqualTo(at(20));
    assertThat(outbox.pendingReason(KEY, because("WaitingForQuota", "3 more", 45)))
        .isEqualTo(at(45));
    assertThat(outbox.pendingReason(KEY, because("ExceedsMaxQuota", "too much", 46)))
        .isEqualTo(at(46));
    assertThat(outbox.pendingReason(KEY).orElseThrow().message()).isEqualTo("too much");
  }

  /** Otherwise a queue in which much happens never says anything new. */
  @Test
  void aWordingThatRestsIsReplacedByTheNextAndNotPutOff() {
    outbox.pendingReason(KEY, because("WaitingForQuota", "1 more", 10));
    outbox.pendingReason(KEY, because("WaitingForQuota", "2 more", 12));

    assertThat(outbox.pendingReason(KEY, because("WaitingForQuota", "3 more", 15)))
        .isEqualTo(at(20));
    assertThat(outbox.pendingReason(KEY).orElseThrow().message()).isEqualTo("3 more");
  }

  @Test
  void afterTheClockWasSetBackNothingRestsForLonger() {
    outbox.pendingReason(KEY, because("WaitingForQuota", "1 more", 3610));

    assertThat(outbox.pendingReason(KEY, because("WaitingForQuota", "1 more", 12)))
        .isEqualTo(at(12));
    assertThat(outbox.pendingReason(KEY, because("WaitingForQuota", "2 more", 13)))
        .isEqualTo(at(22));
  }

  @Test
  void aWorkloadThatWaitsNoMoreHasNoPendingReason() {
    outbox.pendingReason(KEY, because("WaitingForQuota", "1 more", 10));
    outbox.forgetPendingReason(KEY);

    assertThat(outbox.pendingReason(KEY)).isEmpty();
  }

  @Test
  void aPreemptorThatGivesUpWithdrawsItsOwnOrdersOnly() {
    ObjectKey first = new ObjectKey("team", "first");
    ObjectKey second = new ObjectKey("team", "second");
    ObjectKey other = new ObjectKey("team", "other");
    outbox.preempt(first, Map.of(KEY, order(first, KEY), other, order(first, other)));
    outbox.preempt(second, Map.of(KEY, order(second, KEY)));

    outbox.withdrawPreemptions(first);

    assertThat(outbox.preemption(other)).isNull();
    assertThat(outbox.preemption(KEY)).isEqualTo(order(second, KEY));
  }

  @Test
  void aRequestToEvictEndsWithTheReservationThatItIsAbout() {
    ObjectKey preemptor = new ObjectKey("team", "preemptor");
    outbox.preempt(preemptor, Map.of(KEY, order(preemptor, KEY)));

    outbox.offer(reservation("cq"));

    assertThat(outbox.preemption(KEY)).isNull();
  }

  @Test
  void aReservationCanBeCancelledUntilItIsSent() {
    AssumedReservation offered = outbox.offer(reservation("cq"));

    assertThat(offered.cancel()).isTrue();
    assertThat(outbox.reservation(KEY)).isNull();
    assertThat(offered.begin()).as("may be sent").isFalse();
  }

  @Test
  void aReservationThatMayHaveBeenSentIsNotCancelled() {
    AssumedReservation offered = outbox.offer(reservation("cq"));

    assertThat(offered.begin()).isTrue();
    assertThat(offered.begin()).as("another try").isTrue();
    assertThat(offered.cancel()).isFalse();
    assertThat(outbox.reservation(KEY)).isSameAs(offered);
    assertThat(offered.end()).isTrue();
    assertThat(outbox.reservation(KEY)).isNull();
  }

  @Test
  void aReservationThatWasReplacedIsNotSent() {
    AssumedReservation replaced = outbox.offer(reservation("cq"));
    AssumedReservation offered = outbox.offer(reservation("another"));

    assertThat(replaced.begin()).isFalse();
    assertThat(replaced.end()).isFalse();
    assertThat(offered.cancel()).as("is still there").isTrue();
  }

  /** Otherwise the late outcome of one would end the other, which may have been sent. */
  @Test
  void anEqualDecisionIsAnotherReservation() {
    AssumedReservation first = outbox.offer(reservation("cq"));
    first.end();
    AssumedReservation second = outbox.offer(reservation("cq"));

    assertThat(second.decision()).isEqualTo(first.decision());
    assertThat(first.end()).isFalse();
    assertThat(outbox.reservation(KEY)).isSameAs(second);
  }

  /** The reservation of the same Workload in a queue. */
  private static Decision.ReserveQuota reservation(String clusterQueue) {
    TeamState team = new TeamState(null, PreemptionSettings.classical());
    team.clusterQueue(clusterQueue, TeamState.cpus(1));
    team.localQueue("lq", clusterQueue, 0);
    team.arriving(KEY.name(), "lq", 1, 0);
    return Objects.requireNonNull(team.outbox().reservation(KEY)).decision();
  }

  private static PreemptionOrder order(ObjectKey preemptor, ObjectKey victim) {
    Candidate candidate = Candidates.of(victim, "cq", 0, Instant.EPOCH, Amounts.none());
    return new PreemptionOrder(
        candidate, preemptor, "cq", new Preemption("InClusterQueue", "for another"), "", "");
  }

  private static DuePendingReason because(String reason, String message, int second) {
    return new DuePendingReason(reason, message, at(second));
  }

  private static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }
}
