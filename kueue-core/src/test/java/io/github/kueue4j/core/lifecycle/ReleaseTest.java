// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R4, with R5. */
class ReleaseTest {

  @ParameterizedTest
  @EnumSource(
      value = Owner.class,
      names = {"RUNNING", "UNKNOWN"})
  void notBeforeTheOwnerHasStopped(Owner owner) {
    Outcome.plan(workload().admitted(10).evicted("Preempted", 20).situation().withOwner(owner), 21)
        .nothing()
        .waitsFor(WaitReason.OWNER_TO_STOP);
  }

  @ParameterizedTest
  @EnumSource(
      value = Owner.class,
      names = {"STOPPED", "NONE"})
  void releasesTheQuota(Owner owner) {
    Outcome.plan(
            workload().admitted(10).evicted("Preempted", 20).situation().withOwner(owner), 25.5)
        .by(Rule.RELEASE)
        .released()
        .condition("QuotaReserved", "False(PendingEvaluation)@25")
        .condition("Admitted", "False(NoReservation)@25");
  }

  @Test
  void theTimeOfQuotaReservedNeverMovesBack() {
    Outcome.plan(stopped(workload().admitted(100).evicted("Preempted", 100)), 25)
        .condition("QuotaReserved", "False(PendingEvaluation)@100");
  }

  @Test
  void requeuedStaysFalseIfItIs() {
    Outcome.plan(
            stopped(workload().admitted(10).evicted("Preempted", 20).heldFor("PodsReadyTimeout")),
            25)
        .condition("Requeued", "False(PodsReadyTimeout)@0");
  }

  @Test
  void requeuedBecomesFalseForTheCheckIfARetryExists() {
    Outcome.plan(stopped(workload().admitted(10).evicted("Preempted", 20).retry("a", 22, 60)), 25)
        .condition("Requeued", "False(AdmissionCheck)@25")
        .phase(Phase.BACKOFF);
  }

  @Test
  void requeuedBecomesTrueAfterAPreemption() {
    Outcome.plan(stopped(workload().admitted(10).evicted("Preempted", 20)), 25)
        .condition("Requeued", "True(Preempted)@25")
        .phase(Phase.QUEUED);
  }

  @Test
  void requeuedBecomesFalseForTheReasonOfAnyOtherEviction() {
    Outcome.plan(stopped(workload().admitted(10).evicted("ClusterQueueStopped", 20)), 25)
        .condition("Requeued", "False(ClusterQueueStopped)@25")
        .phase(Phase.HELD);
  }

  @Test
  void theSamePatchBringsRequeueAtToTheDeadline() {
    Outcome.plan(
            stopped(workload().admitted(10).evicted("AdmissionCheck", 20).retry("a", 24, 60)), 25)
        .by(Rule.RELEASE)
        .requeueAt(84.0)
        .wakesAt(84.0);
  }

  @Test
  void theTimeInAdmittedIsAddedToThePastExecutionTime() {
    assertThat(
            Outcome.plan(
                    stopped(workload().admitted(10).evicted("Preempted", 20).pastSeconds(100)), 25)
                .after()
                .status()
                .accumulatedPastExecutionTimeSeconds())
        .isEqualTo(115);
  }

  @Test
  void aReservationWithoutAdmissionAddsNoExecutionTime() {
    assertThat(
            Outcome.plan(stopped(workload().reserved(10).evicted("Preempted", 20)), 25)
                .by(Rule.RELEASE)
                .after()
                .status()
                .accumulatedPastExecutionTimeSeconds())
        .isNull();
  }

  @Test
  void aDeactivatedWorkloadIsReleasedTooWithoutUpdatingRequeueAt() {
    Outcome outcome =
        Outcome.plan(
            stopped(
                workload()
                    .inactive()
                    .admitted(10)
                    .evicted("Deactivated", 20)
                    .heldFor("Deactivated")
                    .retry("a", 24, 60)),
            25);
    outcome
        .by(Rule.RELEASE)
        .released()
        .phase(Phase.DEACTIVATED)
        .condition("Requeued", "False(Deactivated)@0")
        .requeueAt(null);
    assertThat(outcome.after().status().accumulatedPastExecutionTimeSeconds()).isNull();
  }

  @Test
  void reportsTheDurationOfTheEviction() {
    assertThat(
            Outcome.plan(stopped(workload().admitted(10).evicted("Preempted", 20)), 25)
                .status()
                .metrics())
        .contains(
            new LifecycleMetric.QuotaReleased("cq", "Preempted", java.time.Duration.ofSeconds(5)));
  }

  private static Situation stopped(WorkloadBuilder workload) {
    return workload.situation().withOwner(Owner.STOPPED);
  }
}
