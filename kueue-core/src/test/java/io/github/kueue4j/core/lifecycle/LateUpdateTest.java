// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R5. */
class LateUpdateTest {

  @Test
  void aLongerDelayMovesRequeueAt() {
    Outcome outcome =
        Outcome.plan(
            workload().heldFor("AdmissionCheck").retry("a", 20, 90).requeueAt(80).situation(), 21);
    outcome.by(Rule.LATE_UPDATE).requeueAt(110.0).wakesAt(110.0);
    assertThat(outcome.message("Requeued")).contains("\"a\" until 2026-01-01T12:01:50Z (1m30s)");
  }

  @Test
  void quotaReservedNamesTheNewDeadlineToo() {
    Outcome outcome =
        Outcome.plan(
            workload()
                .released(20)
                .heldFor("AdmissionCheck")
                .retry("a", 20, 90)
                .requeueAt(80)
                .situation(),
            21);
    outcome.by(Rule.LATE_UPDATE).condition("QuotaReserved", "False(PendingEvaluation)@20");
    assertThat(outcome.message("QuotaReserved"))
        .isEqualTo(outcome.message("Requeued"))
        .contains("\"a\" until 2026-01-01T12:01:50Z (1m30s)");
  }

  @Test
  void aShorterDelayMovesItTooEvenIntoThePast() {
    Outcome.plan(
            workload()
                .admitted(1)
                .evicted("AdmissionCheck", 20)
                .heldFor("AdmissionCheck")
                .retry("a", 20, 5)
                .requeueAt(80)
                .situation(),
            22)
        .by(Rule.LATE_UPDATE)
        .requeueAt(25.0);
    Outcome.plan(
            workload()
                .admitted(1)
                .evicted("AdmissionCheck", 20)
                .heldFor("AdmissionCheck")
                .retry("a", 20, 0)
                .requeueAt(80)
                .situation(),
            22)
        .by(Rule.LATE_UPDATE)
        .requeueAt(21.0);
  }

  @Test
  void aCheckCanOnlyShortenItsOwnDelay() {
    Outcome.plan(
            workload()
                .heldFor("AdmissionCheck")
                .retry("a", 20, 0)
                .retry("b", 20, 60)
                .requeueAt(80)
                .situation(),
            22)
        .nothing()
        .wakesAt(80.0);
  }

  @Test
  void aDelayWithdrawnWithReadyLeavesRequeueAtToTheOthers() {
    Outcome.plan(
            workload()
                .heldFor("AdmissionCheck")
                .ready("a", 22)
                .retry("b", 21, 30)
                .requeueAt(80)
                .situation(),
            22)
        .by(Rule.LATE_UPDATE)
        .requeueAt(51.0);
  }

  @Test
  void withoutAnyDelayedRetryRequeueAtGoesAwayWhileEvicting() {
    Outcome.plan(
            workload()
                .admitted(1)
                .evicted("AdmissionCheck", 20)
                .heldFor("AdmissionCheck")
                .ready("a", 22)
                .requeueAt(80)
                .situation(),
            22)
        .by(Rule.LATE_UPDATE)
        .requeueAt(null);
  }

  @Test
  void aStaleRequeueAtOfAQueuedOrHeldWorkloadGoesAway() {
    Outcome.plan(workload().requeueAt(80).situation(), 22).by(Rule.LATE_UPDATE).requeueAt(null);
    Outcome.plan(
            workload()
                .heldFor("ClusterQueueStopped")
                .requeueAt(80)
                .situation()
                .withQueues(
                    QueueSettings.running("lq"),
                    QueueSettings.stopped("cq", io.github.kueue4j.api.StopPolicy.HOLD)),
            22)
        .by(Rule.LATE_UPDATE)
        .requeueAt(null);
  }

  @Test
  void afterAPodsReadyTimeoutItIsKeptAndNeverLowered() {
    Outcome.plan(workload().heldFor("PodsReadyTimeout").requeueState(1, 80.0).situation(), 22)
        .nothing()
        .wakesAt(80.0);
    Outcome.plan(
            workload()
                .heldFor("PodsReadyTimeout")
                .retry("a", 21, 10)
                .requeueState(1, 80.0)
                .situation(),
            22)
        .nothing()
        .wakesAt(80.0);
    Outcome.plan(
            workload()
                .heldFor("PodsReadyTimeout")
                .retry("a", 21, 100)
                .requeueState(1, 80.0)
                .situation(),
            22)
        .by(Rule.LATE_UPDATE)
        .requeueAt(121.0);
  }

  @Test
  void aSubSecondDeadlineIsRoundedUpAndThenAtRest() {
    // The check's clock is far off, so the delay counts from first sight, at 20.4 s.
    Situation skewed = workload().heldFor("AdmissionCheck").retry("a", -3600, 60).situation();
    Outcome first = Outcome.plan(skewed, 20.4);
    first.by(Rule.LATE_UPDATE).requeueAt(81.0).entries("a=Retry@21+60");
    Outcome.plan(first.applied(skewed), 20.9).nothing().wakesAt(81.0);
  }

  @Test
  void whereAReservationIsDatedAheadADelayCountsFromItsDate() {
    // The third reservation within a second is dated two seconds ahead.
    Situation reserved = workload().reserved(22).retry("a", 20, 5).situation();
    Outcome evicted = Outcome.plan(reserved, 21);
    evicted.by(Rule.EVICT_FOR_RETRY).requeueAt(27.0).entries("a=Retry@22+5");
    Situation delayed = evicted.applied(reserved);
    Outcome.plan(delayed, 22).nothing().wakesAt(27.0);
    Outcome.plan(delayed.withObservedEntries(ObservedEntries.none()), 24).nothing().wakesAt(27.0);
  }

  @Test
  void aRetryThatIsRepeatedBeforeTheDateOfItsReservationIsRecordedAgain() {
    Situation reserved = workload().reserved(22).retry("a", 20, 5).situation();
    Situation delayed = Outcome.plan(reserved, 20).applied(reserved);
    AdmissionCheckState again =
        delayed
            .workload()
            .status()
            .admissionChecks()
            .getFirst()
            .withLastTransitionTime(WorkloadBuilder.at(20));
    Situation saidAgain =
        delayed.withWorkload(
            delayed.workload().withStatus(delayed.workload().status().withAdmissionCheck(again)));
    Outcome recorded = Outcome.plan(saidAgain, 21);
    recorded.by(Rule.LATE_UPDATE).requeueAt(27.0).entries("a=Retry@22+5");
    Outcome.plan(recorded.applied(saidAgain), 22).nothing().wakesAt(27.0);
  }

  @Test
  void withoutAReservationTheDateOfAFastClockIsNone() {
    Situation stray = workload().retry("a", 30, 5).situation();
    Outcome.plan(stray, 20).by(Rule.STRAY_RETRY).requeueAt(25.0).entries("a=Retry@20+5");
  }

  @Test
  void aReleaseRecordsADelayThatIsShorterThanAnother() {
    Situation evicting =
        workload()
            .admitted(0)
            .evicted("AdmissionCheck", 10)
            .requeued("AdmissionCheck")
            .retry("a", 10, 60)
            .retry("b", -3600, 5)
            .situation();
    Situation seen = Outcome.plan(evicting.withOwner(Owner.RUNNING), 12).applied(evicting);
    Outcome.plan(seen.withOwner(Owner.STOPPED), 14)
        .by(Rule.RELEASE)
        .requeueAt(70.0)
        .entries("a=Retry@10+60 b=Retry@12+5");
  }

  @Test
  void aRetryInTheSecondUnderWhichTheOneBeforeWasRecordedCountsFromThatSecond() {
    Situation reserved = workload().reserved(22).retry("a", 20, 5).situation();
    Situation delayed = Outcome.plan(reserved, 21).applied(reserved);
    AdmissionCheckState again =
        delayed.workload().status().admissionChecks().getFirst().withRequeueAfterSeconds(20);
    Situation saidAgain =
        delayed.withWorkload(
            delayed.workload().withStatus(delayed.workload().status().withAdmissionCheck(again)));
    Outcome longer = Outcome.plan(saidAgain, 22);
    longer.by(Rule.LATE_UPDATE).requeueAt(42.0).entries("a=Retry@22+20");
    Outcome.plan(longer.applied(saidAgain), 23).nothing().wakesAt(42.0);
  }

  @Test
  void theComputedDelayIsRecorded() {
    Situation computed =
        workload()
            .heldFor("AdmissionCheck")
            .retry("a", 20)
            .situation()
            .withChecks(
                RequiredChecks.of(
                    List.of(
                        CheckPolicy.of("a").withRetry(RetryPolicy.fixed(Duration.ofSeconds(30))))));
    Outcome.plan(computed, 21).by(Rule.LATE_UPDATE).requeueAt(50.0).entries("a=Retry@20+30");
  }

  @Test
  void notOnAReservedOrInactiveWorkload() {
    Outcome.plan(
            workload().reserved(10).pending("a", 10).pending("b", 10).requeueAt(80).situation(), 22)
        .nothing();
    Outcome.plan(workload().inactive().heldFor("Deactivated").requeueAt(80).situation(), 22)
        .nothing();
  }
}
