// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** R7. */
class StrayRetryTest {

  @Test
  void aRetryWrittenWithoutAReservationHoldsTheWorkload() {
    Outcome outcome = Outcome.plan(workload().retry("a", 20, 60).situation(), 21);
    outcome
        .by(Rule.STRAY_RETRY)
        .phase(Phase.BACKOFF)
        .condition("Requeued", "False(AdmissionCheck)@21")
        .requeueAt(80.0)
        .wakesAt(80.0);
    assertThat(outcome.message("Requeued"))
        .isEqualTo(
            "AdmissionCheck in Retry state: \"a\" (a is Retry). Requeued not before"
                + " 2026-01-01T12:01:20Z, delayed by \"a\" until 2026-01-01T12:01:20Z (1m)");
    assertThat(outcome.eventReasons()).containsExactly("AdmissionCheckRetry");
  }

  @Test
  void quotaReservedNamesTheDelayInsteadOfTheSchedulersReason() {
    Outcome outcome = Outcome.plan(workload().released(10).retry("a", 20, 60).situation(), 21);
    outcome.by(Rule.STRAY_RETRY).condition("QuotaReserved", "False(PendingEvaluation)@10");
    assertThat(outcome.message("QuotaReserved")).contains("Requeued not before", "\"a\" until");
  }

  @Test
  void aRetryWrittenAfterTheRequeueHoldsItToo() {
    Outcome.plan(workload().requeued("BackoffFinished").retry("a", 20, 60).situation(), 21)
        .by(Rule.STRAY_RETRY)
        .condition("Requeued", "False(AdmissionCheck)@21");
  }

  @Test
  void withoutADelayItIsCountedAndResetAtOnce() {
    Outcome.plan(workload().requeued("BackoffFinished").retry("a", 20).situation(), 21)
        .by(Rule.REQUEUE)
        .entries("a=Pending@21#1")
        .phase(Phase.QUEUED);
  }

  @Test
  void aRetryWhoseDeadlineHasPassedIsResetAtOnce() {
    Outcome.plan(workload().retry("a", 20, 0).situation(), 21)
        .by(Rule.REQUEUE)
        .entries("a=Pending@21#1");
  }

  @Test
  void aRetryOfACheckThatIsNotRequiredIsIgnored() {
    Outcome.plan(workload().retry("gone", 20, 60).situation(), 21)
        .nothing()
        .waitsFor(WaitReason.QUOTA);
  }
}
