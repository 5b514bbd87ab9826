// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Contradictory statuses, which only an edit by hand or another implementation can cause. */
class RepairTest {

  @Test
  void admittedWithoutAReservation() {
    Situation contradictory = workload().condition("Admitted", true, "Admitted", 1).situation();
    Outcome outcome =
        Outcome.plan(contradictory, 5)
            .by(Rule.REPAIR)
            .condition("Admitted", "False(NoReservation)@5");
    assertThat(outcome.eventReasons()).containsExactly("StatusMended");
    Outcome.plan(outcome.applied(contradictory), 6).nothing().waitsFor(WaitReason.QUOTA);
  }

  @Test
  void anAdmissionWithoutAReservation() {
    Outcome.plan(workload().reserved(1).released(2).situation(), 5).by(Rule.REPAIR).released();
  }

  @Test
  void admittedWithoutAnAssignmentIsEvictedAndQueuesAgain() {
    Situation contradictory = workload().admitted(1).withoutAdmission().situation();
    Outcome evicted =
        Outcome.plan(contradictory, 5)
            .by(Rule.REPAIR)
            .condition("Evicted", "True(AssignmentLost)@5");
    Situation stopped = evicted.applied(contradictory).withOwner(Owner.STOPPED);
    Outcome.plan(stopped, 6).by(Rule.RELEASE).phase(Phase.QUEUED);
  }

  @Test
  void heldForAReasonThatNothingEnds() {
    Outcome.plan(workload().heldFor("NodeFailures").situation(), 5)
        .by(Rule.REPAIR)
        .phase(Phase.QUEUED);
  }
}
