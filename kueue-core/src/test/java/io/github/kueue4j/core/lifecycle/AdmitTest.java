// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;

import io.github.kueue4j.api.CheckState;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** R2. */
class AdmitTest {

  @Test
  void admitsWhenEveryRequiredEntryIsReadyAndForgetsCountsAndDelays() {
    Outcome outcome =
        Outcome.plan(
            workload()
                .reserved(10)
                .entry("a", CheckState.READY, 12, 30, 2)
                .ready("b", 13)
                .situation(),
            15);
    outcome
        .by(Rule.ADMIT)
        .phase(Phase.ADMITTED)
        .condition("Admitted", "True(Admitted)@15")
        .entries("a=Ready@12 b=Ready@13");
    Assertions.assertThat(outcome.status().events()).isEmpty();
  }

  @Test
  void notWhileOneIsPending() {
    Outcome.plan(workload().reserved(10).ready("a", 12).pending("b", 10).situation(), 15)
        .nothing()
        .waitsFor(WaitReason.CHECKS);
  }

  @Test
  void entriesThatAreNoLongerRequiredAreIgnoredAndRemoved() {
    Outcome.plan(
            workload().reserved(10).ready("a", 12).ready("b", 12).pending("gone", 10).situation(),
            15)
        .by(Rule.ADMIT)
        .entries("a=Ready@12 b=Ready@12");
  }

  @Test
  void entriesThatAreNoLongerRequiredAloneAreNoReasonToWrite() {
    Outcome.plan(
            workload().reserved(10).ready("a", 12).pending("b", 10).pending("gone", 10).situation(),
            15)
        .nothing();
  }

  @Test
  void withoutRequiredChecksItIsAdmitted() {
    Outcome.plan(
            workload().reserved(10).pending("a", 10).situation().withChecks(RequiredChecks.none()),
            15)
        .by(Rule.ADMIT)
        .entries("");
  }

  @Test
  void aCheckThatBecameRequiredIsAddedAsPendingFirst() {
    Situation situation = workload().reserved(10).ready("a", 12).situation();
    Outcome added = Outcome.plan(situation, 15).by(Rule.ADD_CHECK);
    added.entries("a=Ready@12 b=Pending@15").phase(Phase.RESERVED);
    Outcome.plan(added.applied(situation), 16).nothing();
  }

  @Test
  void aCheckAddedAfterTheAdmissionNeverEvicts() {
    Outcome.plan(workload().admitted(10).ready("a", 12).situation(), 15)
        .nothing()
        .waitsFor(WaitReason.OWNER_TO_FINISH);
  }

  @Test
  void waitsUntilNoVictimHoldsQuota() {
    Situation ready = workload().reserved(10).ready("a", 12).ready("b", 12).situation();
    Outcome.plan(ready.withVictimsHoldQuota(true), 15).nothing().waitsFor(WaitReason.VICTIMS);
    Outcome.plan(ready, 15).by(Rule.ADMIT);
  }

  @Test
  void lastTransitionTimeIsNotBeforeTheReservation() {
    Outcome.plan(
            workload()
                .reserved(100)
                .ready("a", 100)
                .situation()
                .withChecks(RequiredChecks.of(List.of(CheckPolicy.of("a")))),
            15)
        .condition("Admitted", "True(Admitted)@100");
  }
}
