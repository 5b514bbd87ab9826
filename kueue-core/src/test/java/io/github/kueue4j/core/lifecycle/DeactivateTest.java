// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.RequeueState;
import io.github.kueue4j.api.SchedulingStatsEviction;
import org.junit.jupiter.api.Test;

/** R11, and the limits that lead to it. */
class DeactivateTest {

  @Test
  void aUsersDeactivationEvictsAndReleasesWhatIsNotAdmitted() {
    Outcome outcome =
        Outcome.plan(
            workload()
                .inactive()
                .reserved(10)
                .entry("a", CheckState.RETRY, 12, 60, 2)
                .ready("b", 12)
                .situation(),
            20);
    outcome
        .by(Rule.DEACTIVATE)
        .released()
        .condition("Evicted", "True(Deactivated)@20")
        .condition("Requeued", "False(Deactivated)@20")
        .entries("a=Pending@20 b=Pending@20");
    assertThat(outcome.message("Evicted")).isEqualTo("The workload is deactivated");
    assertThat(outcome.eventReasons()).containsExactly("EvictedDueToDeactivated");
  }

  @Test
  void anAdmittedOneIsEvictedAndReleasedWhenTheOwnerStops() {
    Situation admitted = workload().inactive().admitted(10).situation();
    Outcome outcome = Outcome.plan(admitted, 20).by(Rule.DEACTIVATE).stillReserved();
    Situation evicting = outcome.applied(admitted);
    Outcome.plan(evicting, 21).nothing().waitsFor(WaitReason.OWNER_TO_STOP);
    Outcome.plan(evicting.withOwner(Owner.STOPPED), 22).by(Rule.RELEASE).released();
  }

  @Test
  void withoutAReservationNothingIsEvictedButRequeuedIsAlwaysFalse() {
    Outcome.plan(workload().inactive().situation(), 20)
        .by(Rule.DEACTIVATE)
        .condition("Evicted", "absent")
        .condition("QuotaReserved", "False(Deactivated)@20")
        .condition("Requeued", "False(Deactivated)@20");
    Outcome.plan(workload().inactive().heldFor("AdmissionCheck").situation(), 20)
        .condition("Requeued", "False(Deactivated)@0");
  }

  @Test
  void aUsersDeactivationRemovesRequeueAtAndKeepsTheCount() {
    Outcome outcome =
        Outcome.plan(workload().inactive().requeueState(3, 80.0).situation(), 20)
            .by(Rule.DEACTIVATE)
            .requeueAt(null);
    assertThat(outcome.after().status().requeueState()).extracting("count").isEqualTo(3);
  }

  @Test
  void aLimitWritesItsCauseThenDeactivatesThenMovesTheCauseToTheConditions() {
    Situation admitted =
        ExecutionTimeTest.limited(workload().admitted(10).requeueState(3, null).situation(), 60, 0);
    Outcome named = Outcome.plan(admitted, 70);
    named
        .by(Rule.LIMIT_EXCEEDED)
        .condition("DeactivationTarget", "True(MaximumExecutionTimeExceeded)@70")
        .phase(Phase.ADMITTED);
    assertThat(named.eventReasons()).containsExactly("MaximumExecutionTimeExceeded");

    Situation target = named.applied(admitted);
    Outcome spec = Outcome.plan(target, 71).by(Rule.DEACTIVATE);
    assertThat(spec.plan()).isInstanceOf(Plan.PatchSpec.class);
    assertThat(spec.after().spec().active()).isFalse();
    assertThat(spec.after().status()).isEqualTo(target.workload().status());

    Situation inactive = spec.applied(target);
    Outcome status = Outcome.plan(inactive, 72).by(Rule.DEACTIVATE);
    status
        .condition("DeactivationTarget", "absent")
        .condition("Evicted", "True(DeactivatedDueToMaximumExecutionTimeExceeded)@72")
        .condition("Requeued", "False(DeactivatedDueToMaximumExecutionTimeExceeded)@72")
        .stillReserved();
    assertThat(status.message("Evicted"))
        .isEqualTo("The workload is deactivated due to exceeding the maximum execution time");
    assertThat(status.after().status().requeueState())
        .as("the count can be read until someone activates it again")
        .isEqualTo(new RequeueState(3, null));
    assertThat(status.after().status().schedulingStats())
        .extracting("evictions")
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .containsExactly(
            new SchedulingStatsEviction("Deactivated", "MaximumExecutionTimeExceeded", 1));
    Outcome.plan(status.applied(inactive), 73).nothing();
  }

  @Test
  void aDeactivationTargetActsWhateverRequeuedIs() {
    Outcome.plan(
            workload()
                .inactive()
                .heldFor("Deactivated")
                .target("RequeuingLimitExceeded", "too often")
                .situation(),
            20)
        .by(Rule.DEACTIVATE)
        .condition("Requeued", "False(DeactivatedDueToRequeuingLimitExceeded)@0")
        .condition("DeactivationTarget", "absent");
  }

  @Test
  void anExistingReasonIsReplacedOnlyByACause() {
    Outcome.plan(
            workload()
                .inactive()
                .admitted(10)
                .heldFor("DeactivatedDueToAdmissionCheck")
                .situation(),
            20)
        .by(Rule.DEACTIVATE)
        .condition("Evicted", "True(DeactivatedDueToAdmissionCheck)@20")
        .condition("Requeued", "False(DeactivatedDueToAdmissionCheck)@0");
  }

  @Test
  void anEvictionInProgressIsNotCountedTwice() {
    Outcome outcome =
        Outcome.plan(workload().inactive().admitted(10).evicted("Preempted", 15).situation(), 20);
    outcome.by(Rule.DEACTIVATE).condition("Evicted", "True(Deactivated)@15");
    assertThat(outcome.after().status().schedulingStats()).isNull();
    assertThat(outcome.eventReasons()).isEmpty();
  }

  @Test
  void whileInactiveNothingElseActs() {
    Outcome.plan(
            workload()
                .inactive()
                .heldFor("Deactivated")
                .retry("a", 10, 5)
                .requeueAt(500)
                .situation(),
            20)
        .nothing()
        .waitsFor(WaitReason.ACTIVATION)
        .wakesAt(null);
  }

  @Test
  void thePastExecutionTimeIsCleared() {
    assertThat(
            Outcome.plan(workload().inactive().admitted(10).pastSeconds(50).situation(), 20)
                .after()
                .status()
                .accumulatedPastExecutionTimeSeconds())
        .isNull();
  }

  @Test
  void aRejectedEntryComesFirst() {
    Outcome.plan(
            workload()
                .inactive()
                .target("RequeuingLimitExceeded", "too often")
                .rejected("a", 10)
                .situation(),
            20)
        .by(Rule.REJECT);
  }
}
