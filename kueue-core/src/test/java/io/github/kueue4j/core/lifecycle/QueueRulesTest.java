// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.StopPolicy;
import org.junit.jupiter.api.Test;

/** Withdraw, drain, queue restart, and the scheduler's reason for not reserving. */
class QueueRulesTest {
  private static final QueueSettings LQ = QueueSettings.running("lq");
  private static final QueueSettings CQ = QueueSettings.running("cq");
  private static final QueueSettings CQ_HELD = QueueSettings.stopped("cq", StopPolicy.HOLD);
  private static final QueueSettings CQ_DRAINED =
      QueueSettings.stopped("cq", StopPolicy.HOLD_AND_DRAIN);

  private static WorkloadBuilder reserved() {
    return workload().reserved(10).pending("a", 10, 2).ready("b", 12);
  }

  @Test
  void theSettingsOfAQueueAreThoseOfItsObject() {
    assertThat(
            QueueSettings.of(
                read(
                    ClusterQueue.class,
                    "{metadata: {name: cq}, spec: {stopPolicy: HoldAndDrain}}")))
        .isEqualTo(CQ_DRAINED);
    assertThat(
            QueueSettings.of(
                read(
                    LocalQueue.class,
                    "{metadata: {name: lq, deletionTimestamp: '2026-01-01T00:00:00Z'}, spec: {}}")))
        .isEqualTo(QueueSettings.terminating("lq"));
  }

  @Test
  void aStoppedQueueWithdrawsAndHolds() {
    Outcome outcome = Outcome.plan(reserved().situation().withQueues(LQ, CQ_HELD), 20);
    outcome
        .by(Rule.WITHDRAW)
        .released()
        .phase(Phase.HELD)
        .condition("QuotaReserved", "False(Suspended)@20")
        .condition("Admitted", "False(NoReservation)@20")
        .condition("Evicted", "absent")
        .condition("Requeued", "False(ClusterQueueStopped)@20")
        .entries("a=Pending@10#2 b=Pending@20");
    assertThat(outcome.message("QuotaReserved")).isEqualTo("ClusterQueue cq is stopped");
    Outcome.plan(
            reserved().situation().withQueues(QueueSettings.stopped("lq", StopPolicy.HOLD), CQ), 20)
        .by(Rule.WITHDRAW)
        .condition("Requeued", "False(LocalQueueStopped)@20");
  }

  @Test
  void aMissingOrTerminatingQueueWithdrawsAndLeavesItQueued() {
    Outcome outcome =
        Outcome.plan(reserved().situation().withQueues(LQ, QueueSettings.missing("cq")), 20);
    outcome
        .by(Rule.WITHDRAW)
        .released()
        .phase(Phase.QUEUED)
        .condition("QuotaReserved", "False(Misconfigured)@20")
        .condition("Requeued", "absent");
    assertThat(outcome.message("QuotaReserved"))
        .isEqualTo("ClusterQueue cq is terminating or missing");
    assertThat(outcome.eventReasons()).containsExactly("Misconfigured");
    Outcome.plan(reserved().situation().withQueues(QueueSettings.terminating("lq"), CQ), 20)
        .by(Rule.WITHDRAW);
  }

  @Test
  void anAssignmentThatIsNoLongerValidIsWithdrawnEvenIfAllChecksAreReady() {
    Outcome.plan(
            workload()
                .reserved(10)
                .ready("a", 12)
                .ready("b", 12)
                .situation()
                .withAssignment(
                    AssignmentValidity.invalid("NoMatchingFlavor", "flavor spot not found")),
            20)
        .by(Rule.WITHDRAW)
        .released()
        .phase(Phase.QUEUED)
        .condition("QuotaReserved", "False(NoMatchingFlavor)@20");
  }

  @Test
  void aReservationWithoutAnAdmissionIsWithdrawn() {
    Outcome.plan(reserved().withoutAdmission().situation(), 20)
        .by(Rule.WITHDRAW)
        .condition("QuotaReserved", "False(Misconfigured)@20");
  }

  @Test
  void anAdmittedWorkloadKeepsRunningInAHeldQueueAndWithAnInvalidAssignment() {
    Situation admitted = workload().admitted(10).situation();
    Outcome.plan(admitted.withQueues(LQ, CQ_HELD), 20).nothing();
    Outcome.plan(admitted.withQueues(LQ, QueueSettings.missing("cq")), 20).nothing();
    Outcome.plan(admitted.withAssignment(AssignmentValidity.invalid("X", "x")), 20).nothing();
  }

  @Test
  void drainingEvictsAnAdmittedWorkload() {
    Outcome outcome =
        Outcome.plan(workload().admitted(10).situation().withQueues(LQ, CQ_DRAINED), 20);
    outcome
        .by(Rule.DRAIN)
        .phase(Phase.EVICTING)
        .condition("Evicted", "True(ClusterQueueStopped)@20")
        .condition("Requeued", "absent");
    assertThat(outcome.message("Evicted")).isEqualTo("The ClusterQueue is stopped");
    Outcome.plan(
            workload()
                .admitted(10)
                .situation()
                .withQueues(QueueSettings.stopped("lq", StopPolicy.HOLD_AND_DRAIN), CQ),
            20)
        .condition("Evicted", "True(LocalQueueStopped)@20");
  }

  @Test
  void drainingReleasesAReservationInTheSamePatch() {
    Outcome.plan(reserved().situation().withQueues(LQ, CQ_DRAINED), 20)
        .by(Rule.DRAIN)
        .released()
        .phase(Phase.HELD)
        .condition("Requeued", "False(ClusterQueueStopped)@20");
  }

  @Test
  void drainingAWorkloadInRetryKeepsItsDelay() {
    Outcome.plan(
            workload().reserved(10).retry("a", 20, 60).situation().withQueues(LQ, CQ_DRAINED), 20)
        .by(Rule.DRAIN)
        .released()
        .phase(Phase.BACKOFF)
        .condition("Requeued", "False(AdmissionCheck)@20")
        .requeueAt(80.0);
  }

  @Test
  void aDrainedWorkloadWaitsForItsQueueAndThenQueuesAgain() {
    Situation admitted =
        workload().admitted(10).situation().withQueues(LQ, CQ_DRAINED).withOwner(Owner.RUNNING);
    Situation evicting = Outcome.plan(admitted, 20).by(Rule.DRAIN).applied(admitted);
    Situation stopped = evicting.withOwner(Owner.STOPPED);
    Situation held = Outcome.plan(stopped, 22).by(Rule.RELEASE).applied(stopped);
    Outcome.plan(held, 23).nothing().waitsFor(WaitReason.QUEUE);
    Outcome.plan(held.withQueues(LQ, CQ), 24)
        .by(Rule.QUEUE_RESTART)
        .phase(Phase.QUEUED)
        .condition("Requeued", "True(ClusterQueueRestarted)@24");
  }

  @Test
  void onlyTheQueueThatStoppedItRestartsIt() {
    Situation held = workload().heldFor("LocalQueueStopped").situation();
    Outcome.plan(held.withQueues(QueueSettings.stopped("lq", StopPolicy.HOLD), CQ), 20)
        .nothing()
        .waitsFor(WaitReason.QUEUE);
    Outcome.plan(held.withQueues(QueueSettings.missing("lq"), CQ), 20).nothing();
    Outcome.plan(held.withQueues(LQ, CQ_HELD), 20)
        .by(Rule.QUEUE_RESTART)
        .condition("Requeued", "True(LocalQueueRestarted)@20");
  }

  @Test
  void theRestartClearsTheRequeueAtOfAWithdrawnDelay() {
    Situation held = workload().heldFor("LocalQueueStopped").requeueAt(80).situation();
    Outcome.plan(held, 20).by(Rule.QUEUE_RESTART).requeueAt(null).phase(Phase.QUEUED);
  }

  @Test
  void theSchedulersReasonIsWrittenOnce() {
    Situation queued = workload().situation();
    Outcome told =
        Outcome.of(Lifecycle.notReserved(queued, "WaitingForQuota", "1 CPU more needed", at(20)));
    told.by(Rule.NOT_RESERVED)
        .condition("QuotaReserved", "False(WaitingForQuota)@20")
        .condition("Admitted", "False(NoReservation)@20");
    Outcome.of(
            Lifecycle.notReserved(
                told.applied(queued), "WaitingForQuota", "1 CPU more needed", at(21)))
        .nothing();
  }

  @Test
  void aReasonThatWaitingDoesNotResolveIsReportedAsAnEvent() {
    Situation queued = workload().situation();
    Outcome told = Outcome.of(Lifecycle.notReserved(queued, "ExceedsMaxQuota", "5 > 4", at(20)));
    assertThat(told.eventReasons()).containsExactly("ExceedsMaxQuota");

    Outcome reworded =
        Outcome.of(Lifecycle.notReserved(told.applied(queued), "ExceedsMaxQuota", "5 > 3", at(40)));
    assertThat(reworded.message("QuotaReserved")).isEqualTo("5 > 3");
    assertThat(reworded.eventReasons()).isEmpty();
    assertThat(
            Outcome.of(Lifecycle.notReserved(queued, "WaitingForQuota", "1 more", at(20)))
                .eventReasons())
        .isEmpty();
  }

  @Test
  void theSchedulersReasonNeverTouchesAReservation() {
    Outcome.of(
            Lifecycle.notReserved(
                reserved().situation(), "WaitingForQuota", "1 CPU more needed", at(20)))
        .nothing();
  }
}
