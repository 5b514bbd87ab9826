// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.RequeueState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** R8. */
class RejectTest {

  /** Every combination of Evicted × reserved × Admitted × active. */
  @TestFactory
  List<DynamicTest> inEveryCombination() {
    List<DynamicTest> tests = new ArrayList<>();
    for (int bits = 0; bits < 16; bits++) {
      boolean evicted = (bits & 1) != 0;
      boolean reserved = (bits & 2) != 0;
      boolean admitted = (bits & 4) != 0;
      boolean active = (bits & 8) != 0;
      tests.add(
          DynamicTest.dynamicTest(
              (evicted ? "evicted " : "")
                  + (reserved ? "reserved " : "")
                  + (admitted ? "admitted " : "")
                  + (active ? "active" : "inactive"),
              () -> {
                WorkloadBuilder workload = workload().rejected("a", 20).retry("b", 20, 60);
                if (reserved) {
                  workload.reserved(10);
                }
                if (admitted) {
                  workload.condition("Admitted", true, "Admitted", 10);
                }
                if (evicted) {
                  workload.evicted("AdmissionCheck", 15);
                }
                if (!active) {
                  workload.inactive();
                }
                check(workload.situation(), reserved, admitted, active);
              }));
    }
    return tests;
  }

  private static void check(
      Situation situation, boolean reserved, boolean admitted, boolean active) {
    Outcome first = Outcome.plan(situation, 21).by(Rule.REJECT);
    Situation deactivated = situation;
    if (active) {
      assertThat(first.plan()).isInstanceOf(Plan.PatchSpec.class);
      assertThat(first.after().spec().active()).isFalse();
      assertThat(first.after().status()).isEqualTo(situation.workload().status());
      deactivated = first.applied(situation);
    }
    Outcome second = Outcome.plan(deactivated, 22).by(Rule.REJECT);
    second
        .phase(Phase.DEACTIVATED)
        .entries("a=Pending@22 b=Pending@22")
        .condition("Requeued", "False(DeactivatedDueToAdmissionCheck)@22");
    if (reserved) {
      assertThat(second.after().conditions().find("Evicted").orElseThrow().reason())
          .isEqualTo("DeactivatedDueToAdmissionCheck");
    }
    if (reserved && admitted) {
      second.stillReserved();
    } else {
      assertThat(Phase.holdsQuota(second.after())).isFalse();
    }
    assertThat(second.eventReasons()).contains("AdmissionCheckRejected");
    assertThat(Outcome.plan(second.applied(deactivated), 23).nothing().plan().wakeAt()).isNull();
  }

  @Test
  void aRejectionByACheckThatIsNotRequiredCounts() {
    Outcome.plan(workload().rejected("gone", 20).situation(), 21).by(Rule.REJECT);
  }

  @Test
  void notAfterFinished() {
    Outcome.plan(workload().finished().rejected("a", 20).situation(), 21).nothing();
  }

  @Test
  void requeueAtAndDeactivationTargetAreRemovedAndTheCountStays() {
    Outcome outcome =
        Outcome.plan(
            workload()
                .inactive()
                .requeueState(3, 80.0)
                .target("RequeuingLimitExceeded", "too often")
                .rejected("a", 20)
                .entry("b", CheckState.PENDING, 10, 5, 4)
                .situation(),
            21);
    outcome
        .by(Rule.REJECT)
        .condition("DeactivationTarget", "absent")
        .entries("a=Pending@21 b=Pending@10");
    assertThat(outcome.after().status().requeueState()).isEqualTo(new RequeueState(3, null));
  }

  @Test
  void itsMessageNamesTheCheck() {
    Outcome outcome =
        Outcome.plan(workload().inactive().reserved(10).rejected("a", 20).situation(), 21);
    assertThat(outcome.message("Evicted"))
        .isEqualTo(
            "The workload is deactivated due to AdmissionCheck in Rejected state: \"a\" (a is"
                + " Rejected)");
    assertThat(outcome.status().events())
        .contains(
            LifecycleEvent.warning(
                "AdmissionCheckRejected",
                "Deactivated due to AdmissionCheck in Rejected state: \"a\" (a is Rejected)"));
  }

  @Test
  void aRejectedIsNotErasedBeforeTheWorkloadIsInactive() {
    Situation rejected =
        workload().heldFor("AdmissionCheck").requeueAt(10).rejected("a", 5).situation();
    assertThat(Outcome.plan(rejected, 30).entry("a").state()).isEqualTo(CheckState.REJECTED);
  }
}
