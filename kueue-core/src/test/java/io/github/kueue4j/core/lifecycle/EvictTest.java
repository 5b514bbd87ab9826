// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.at;
import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.SchedulingStatsEviction;
import io.github.kueue4j.jobs.FinishedOwner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Preemption, the pods-ready timeout, finishing. */
class EvictTest {
  private static final Preemption PREEMPTION = new Preemption("InClusterQueue", "for another");

  private static Outcome preempt(Situation situation) {
    return Outcome.of(Lifecycle.preempt(situation, PREEMPTION, at(20)));
  }

  private static Outcome podsNotReady(Situation situation, @Nullable Integer limit) {
    return Outcome.plan(PodsReadyRulesTest.waiting(situation, limit), 20);
  }

  @Test
  void aPreemptedWorkloadIsEvictedAndMarked() {
    Outcome outcome = preempt(workload().admitted(10).situation());
    outcome
        .by(Rule.PREEMPT)
        .phase(Phase.EVICTING)
        .stillReserved()
        .condition("Evicted", "True(Preempted)@20")
        .condition("Preempted", "True(InClusterQueue)@20");
    assertThat(outcome.eventReasons()).isEmpty();
  }

  @Test
  void aReservationThatIsNotAdmittedIsReleasedInTheSamePatch() {
    preempt(workload().reserved(10).pending("a", 10).situation())
        .by(Rule.PREEMPT)
        .released()
        .phase(Phase.QUEUED)
        .condition("Requeued", "True(Preempted)@20");
  }

  @ParameterizedTest
  @EnumSource(
      value = Owner.class,
      names = {"STOPPED", "NONE"})
  void whatIsAdmittedIsReleasedInTheSamePatchIfNothingRuns(Owner owner) {
    Outcome preempted =
        preempt(workload().admitted(10).ready("a", 10).situation().withOwner(owner));
    preempted
        .by(Rule.PREEMPT)
        .released()
        .entries("a=Pending@20")
        .phase(Phase.QUEUED)
        .condition("Evicted", "True(Preempted)@20")
        .condition("Requeued", "True(Preempted)@20")
        .condition("Admitted", "False(NoReservation)@20");
    assertThat(preempted.eventReasons()).isEmpty();
    Outcome.plan(workload().admitted(10).retry("a", 19, 60).situation().withOwner(owner), 20)
        .by(Rule.EVICT_FOR_RETRY)
        .released()
        .phase(Phase.BACKOFF)
        .requeueAt(79.0);
    Outcome.plan(workload().inactive().admitted(10).situation().withOwner(owner), 20)
        .by(Rule.DEACTIVATE)
        .released()
        .condition("Requeued", "False(Deactivated)@20");
    podsNotReady(workload().admitted(10).situation().withOwner(owner), null)
        .by(Rule.PODS_READY_TIMEOUT)
        .released()
        .condition("Requeued", "False(PodsReadyTimeout)@20")
        .requeueAt(80.0 + jitter(60, 1));
  }

  @Test
  void preemptingAWorkloadInRetryLeavesItInItsBackoff() {
    preempt(workload().reserved(10).retry("a", 20, 60).situation())
        .by(Rule.PREEMPT)
        .released()
        .phase(Phase.BACKOFF)
        .condition("Requeued", "False(AdmissionCheck)@20")
        .requeueAt(80.0);
  }

  @Test
  void anEarlierRuleComesFirst() {
    preempt(workload().admitted(10).rejected("a", 12).situation()).by(Rule.REJECT);
    preempt(workload().admitted(10).evicted("AdmissionCheck", 12).situation()).nothing();
    preempt(workload().situation()).nothing();
    preempt(workload().finished().admitted(10).situation()).nothing();
  }

  @Test
  void aPodsReadyTimeoutHoldsCountsAndDelaysInOnePatch() {
    Outcome outcome = podsNotReady(workload().admitted(10).situation(), null);
    outcome
        .by(Rule.PODS_READY_TIMEOUT)
        .phase(Phase.EVICTING)
        .condition("Evicted", "True(PodsReadyTimeout)@20")
        .condition("Requeued", "False(PodsReadyTimeout)@20")
        .requeueAt(80.0 + jitter(60, 1));
    assertThat(outcome.after().status().requeueState()).extracting("count").isEqualTo(1);
    assertThat(outcome.message("Evicted")).startsWith("Exceeded the PodsReady timeout ns/wl");
    assertThat(outcome.after().status().schedulingStats())
        .extracting("evictions")
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .containsExactly(new SchedulingStatsEviction("PodsReadyTimeout", "WaitForStart", 1));
  }

  /** The jitter of a delay of the test's Workload. */
  private static double jitter(int seconds, int count) {
    double draw = Jitter.fraction(workload().situation(), "pods-ready", count);
    return Math.floor(seconds * (1 + 0.05 * draw)) - seconds;
  }

  @Test
  void itsDelayDoublesUpToTheMaximum() {
    podsNotReady(workload().admitted(10).requeueState(3, null).situation(), null)
        .requeueAt(500.0 + jitter(480, 4));
    podsNotReady(workload().admitted(10).requeueState(30, null).situation(), null)
        .requeueAt(3620.0 + jitter(3600, 31));
  }

  @Test
  void aLaterDeadlineOfACheckApplies() {
    podsNotReady(workload().admitted(10).retry("a", 19, 600).situation(), null)
        .by(Rule.PODS_READY_TIMEOUT)
        .requeueAt(619.0);
  }

  @Test
  void beyondItsLimitTheWorkloadIsDeactivated() {
    podsNotReady(workload().admitted(10).requeueState(2, null).situation(), 3)
        .by(Rule.PODS_READY_TIMEOUT);
    podsNotReady(workload().admitted(10).requeueState(3, null).situation(), 3)
        .by(Rule.LIMIT_EXCEEDED)
        .condition("DeactivationTarget", "True(RequeuingLimitExceeded)@20");
  }

  @Test
  void noRuleActsOnAFinishedWorkload() {
    Situation admitted = workload().admitted(10).retry("a", 15, 5).situation();
    FinishedOwner owner = new FinishedOwner("Succeeded", "Job finished successfully");
    Outcome finished = Outcome.of(Lifecycle.finish(admitted, owner, at(20)));
    finished
        .by(Rule.FINISH)
        .condition("Finished", "True(Succeeded)@20")
        .condition("Admitted", "True(Admitted)@10");
    assertThat(Phase.holdsQuota(finished.after())).isFalse();
    Outcome.plan(finished.applied(admitted), 21).nothing().waitsFor(WaitReason.FINISHED);
    Outcome.of(Lifecycle.finish(finished.applied(admitted), owner, at(22))).nothing();
  }
}
