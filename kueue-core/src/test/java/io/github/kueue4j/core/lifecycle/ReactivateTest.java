// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.StopPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9. */
class ReactivateTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Deactivated",
        "DeactivatedDueToAdmissionCheck",
        "DeactivatedDueToRequeuingLimitExceeded"
      })
  void everyReasonWithThePrefixIsRequeuedAndOnlyAUsersOwnKeepsTheRequeueCount(String reason) {
    Outcome outcome =
        Outcome.plan(workload().heldFor(reason).requeueState(2, 30.0).situation(), 20)
            .by(Rule.REACTIVATE)
            .phase(Phase.QUEUED)
            .condition("Requeued", "True(Reactivated)@20");
    assertThat(outcome.after().status().requeueState())
        .isEqualTo(reason.equals("Deactivated") ? new RequeueState(2, null) : null);
  }

  @Test
  void entriesWrittenWhileInactiveAreResetWithoutCounts() {
    Outcome.plan(
            workload()
                .heldFor("Deactivated")
                .entry("a", CheckState.RETRY, 10, 600, 3)
                .entry("b", CheckState.READY, 10, null, 2)
                .requeueAt(610)
                .situation(),
            20)
        .by(Rule.REACTIVATE)
        .entries("a=Pending@20 b=Pending@20")
        .requeueAt(null);
  }

  @Test
  void underAStoppedQueueItIsHeldForTheQueue() {
    Situation inactive = workload().heldFor("Deactivated").situation();
    QueueSettings lq = QueueSettings.running("lq");
    QueueSettings cq = QueueSettings.running("cq");
    Outcome.plan(inactive.withQueues(lq, QueueSettings.stopped("cq", StopPolicy.HOLD)), 20)
        .by(Rule.REACTIVATE)
        .phase(Phase.HELD)
        .condition("Requeued", "False(ClusterQueueStopped)@0");
    Outcome.plan(
            inactive.withQueues(QueueSettings.stopped("lq", StopPolicy.HOLD_AND_DRAIN), cq), 20)
        .condition("Requeued", "False(LocalQueueStopped)@0");
  }

  @Test
  void notWhileStillReserved() {
    Outcome.plan(
            workload().admitted(1).evicted("Deactivated", 10).heldFor("Deactivated").situation(),
            20)
        .nothing()
        .waitsFor(WaitReason.OWNER_TO_STOP);
  }

  @Test
  void notWhileSomethingIsRejected() {
    Outcome.plan(workload().heldFor("Deactivated").rejected("a", 10).situation(), 20)
        .by(Rule.REJECT);
  }

  @Test
  void notWhileInactive() {
    Outcome.plan(workload().inactive().heldFor("Deactivated").situation(), 20)
        .nothing()
        .waitsFor(WaitReason.ACTIVATION);
  }

  @Test
  void aFullRoundOfDeactivationAndReactivationLeavesACleanWorkload() {
    Situation queued = workload().situation();
    Situation inactive =
        queued.withWorkload(queued.workload().withSpec(queued.workload().spec().withActive(false)));
    Situation deactivated = Outcome.plan(inactive, 20).by(Rule.DEACTIVATE).applied(inactive);
    Outcome.plan(deactivated, 21).nothing();
    Situation active =
        deactivated.withWorkload(deactivated.workload().withSpec(queued.workload().spec()));
    Outcome back = Outcome.plan(active, 22).by(Rule.REACTIVATE);
    assertThat(back.message("Requeued")).isEqualTo("The workload was reactivated");
    Outcome.plan(back.applied(active), 23).nothing().waitsFor(WaitReason.QUOTA);
  }
}
