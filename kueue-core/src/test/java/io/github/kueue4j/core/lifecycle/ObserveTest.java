// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.EvictionReasons;
import io.github.kueue4j.api.ObservedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** R12: checks in the mode Observe; {@code a} is enforced and {@code b} only observes. */
class ObserveTest {
  private static final String RECORD =
      new ObservedAnswer(CheckState.RETRY, "NoLicense", "none is free").text();

  private static Situation observing(WorkloadBuilder workload) {
    return observing(workload.situation());
  }

  private static Situation observing(Situation situation) {
    return situation.withChecks(situation.checks().observing(Set.of("b")));
  }

  private static AdmissionCheckState record(double since) {
    return AdmissionCheckState.pending("b", WorkloadBuilder.at(since))
        .withState(CheckState.READY)
        .withMessage(RECORD);
  }

  @Test
  void admissionDoesNotWaitForIt() {
    Outcome.plan(observing(workload().reserved(10).ready("a", 12).pending("b", 10)), 15)
        .by(Rule.ADMIT)
        .entries("a=Ready@12 b=Pending@10");
    Outcome.plan(workload().reserved(10).ready("a", 12).pending("b", 10).situation(), 15).nothing();
  }

  @Test
  void whatOnlyObservedChecksAreAskedAboutIsAdmittedWithItsReservation() {
    Situation queued = workload().situation();
    List<CheckPolicy> checks = List.of(CheckPolicy.of("b"));
    Plan plan =
        Lifecycle.reserve(
            observing(queued.withChecks(RequiredChecks.of(checks))),
            WorkloadBuilder.ADMISSION,
            checks,
            WorkloadBuilder.at(15));
    Outcome.of(plan).by(Rule.RESERVE).phase(Phase.ADMITTED).entries("b=Pending@15");
  }

  @Test
  void aRetryOrRejectedIsRecordedAndNothingElse() {
    record Row(WorkloadBuilder workload, String answer) {}
    List.of(
            new Row(workload().reserved(10).pending("a", 10).retry("b", 12, 3600), "Retry"),
            new Row(workload().reserved(10).pending("a", 10).rejected("b", 12), "Rejected"),
            new Row(workload().admitted(10).ready("a", 10).retry("b", 12, 3600), "Retry"),
            new Row(workload().admitted(10).ready("a", 10).rejected("b", 12), "Rejected"))
        .forEach(
            row -> {
              Situation before = observing(row.workload());
              Outcome outcome = Outcome.plan(before, 15).by(Rule.OBSERVE).stillReserved();
              AdmissionCheckState entry = outcome.entry("b");
              assertThat(ObservedAnswer.of(entry))
                  .map(ObservedAnswer::state)
                  .contains(new CheckState(row.answer()));
              assertThat(entry.requeueAfterSeconds()).isNull();
              assertThat(outcome.eventReasons()).containsExactly("AdmissionCheckObserved");
              assertThat(outcome.status().applied().retries())
                  .as("a Retry under the entry's new date is a later one")
                  .doesNotContainKey("b");
              assertThat(outcome.after().status().conditions())
                  .isEqualTo(before.workload().status().conditions());
              Outcome.plan(outcome.applied(before), 16).nothing();
            });
  }

  @Test
  void alsoIfItsQueueNoLongerAsksIt() {
    Situation situation = workload().admitted(10).ready("a", 12).rejected("b", 12).situation();
    RequiredChecks checks = RequiredChecks.of(List.of(CheckPolicy.of("a")));
    Outcome.plan(situation.withChecks(checks.observing(Set.of("b"))), 15)
        .by(Rule.OBSERVE)
        .stillReserved()
        .entries("a=Ready@12");
    Outcome.plan(situation.withChecks(checks), 15).by(Rule.REJECT);
  }

  @Test
  void withoutAReservationNothingIsRecordedAndADelayEnds() {
    Situation backoff =
        observing(
            workload()
                .released(10)
                .heldFor("AdmissionCheck")
                .pending("a", 10)
                .retry("b", 12, 3600)
                .requeueAt(3612));
    Outcome reset = Outcome.plan(backoff, 15).by(Rule.OBSERVE).entries("a=Pending@10 b=Pending@15");
    Outcome.plan(reset.applied(backoff), 15).by(Rule.REQUEUE).phase(Phase.QUEUED);
  }

  @Test
  void itNeverTimesOut() {
    Situation silent = workload().reserved(10).pending("a", 10).pending("b", 10).situation();
    List<CheckPolicy> timed =
        List.of(
            CheckPolicy.of("a"), CheckPolicy.of("b").withPendingTimeout(Duration.ofSeconds(30)));
    Situation situation = silent.withChecks(RequiredChecks.of(timed));
    Outcome.plan(situation, 40).by(Rule.PENDING_TIMEOUT);
    Outcome.plan(observing(situation), 40).nothing().wakesAt(null);
  }

  @Test
  void onceEnforcedItIsAskedAgainAboutWhatIsNotAdmitted() {
    Situation situation = workload().reserved(10).ready("a", 12).entry(record(12)).situation();
    Outcome outcome =
        Outcome.plan(situation, 15).by(Rule.OBSERVE).entries("a=Ready@12 b=Pending@15");
    assertThat(outcome.entry("b").message()).contains("its check is enforced now", "NoLicense");
    Outcome.plan(outcome.applied(situation), 15).nothing().waitsFor(WaitReason.CHECKS);
  }

  @Test
  void onceEnforcedItTakesNothingBack() {
    Outcome.plan(workload().admitted(10).ready("a", 12).entry(record(12)).situation(), 15)
        .nothing();
  }

  /** Between the two steps of R8 the entry is the cause that the second one writes down. */
  @Test
  void aRejectionThatHasDeactivatedIsCarriedOut() {
    WorkloadBuilder rejected = workload().reserved(10).pending("a", 10).rejected("b", 12);
    Situation halfWay = observing(rejected.inactive());
    Outcome finished = Outcome.plan(halfWay, 15).by(Rule.REJECT);
    Situation settled = finished.applied(halfWay);
    assertThat(settled.workload().conditions().heldFor())
        .contains(EvictionReasons.DEACTIVATED_DUE_TO_ADMISSION_CHECK);

    Situation byUser =
        observing(workload().released(10).inactive().heldFor("Deactivated").rejected("b", 12));
    Outcome.plan(byUser, 15).by(Rule.OBSERVE).entries("b=Pending@15");
  }

  /** What was retried before stays counted, whichever way the answer goes. */
  @Test
  void itsCountStays() {
    AdmissionCheckState counted = record(12).withRetryCount(2);
    Situation enforced = workload().reserved(10).ready("a", 12).entry(counted).situation();
    Situation backoff =
        observing(
            workload()
                .released(10)
                .heldFor("AdmissionCheck")
                .entry(counted.withState(CheckState.RETRY)));
    Situation reserved =
        observing(workload().reserved(10).entry(counted.withState(CheckState.RETRY)));
    for (Situation situation : List.of(enforced, backoff, reserved)) {
      Outcome outcome = Outcome.plan(situation, 15).by(Rule.OBSERVE);
      assertThat(outcome.entry("b").retryCount()).isEqualTo(2);
    }
  }
}
