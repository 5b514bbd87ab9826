/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
        .waitsFor(Waiting.CHECKS);
  }

  @Test
  void entriesNoLongerRequiredDontCountAndGo() {
    Outcome.plan(
            workload().reserved(10).ready("a", 12).ready("b", 12).pending("gone", 10).situation(),
            15)
        .by(Rule.ADMIT)
        .entries("a=Ready@12 b=Ready@12");
  }

  @Test
  void entriesNoLongerRequiredAreNoReasonToWrite() {
    Outcome.plan(
            workload().reserved(10).ready("a", 12).pending("b", 10).pending("gone", 10).situation(),
            15)
        .nothing();
  }

  @Test
  void withNothingRequiredAnyMoreItIsAdmitted() {
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
        .waitsFor(Waiting.OWNER_TO_FINISH);
  }

  @Test
  void waitsUntilNoVictimHoldsQuota() {
    Situation ready = workload().reserved(10).ready("a", 12).ready("b", 12).situation();
    Outcome.plan(ready.withVictimsHoldQuota(true), 15).nothing().waitsFor(Waiting.VICTIMS);
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
