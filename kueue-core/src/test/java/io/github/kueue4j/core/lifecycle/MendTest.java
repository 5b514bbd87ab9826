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
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Contradictions that only an edit by hand or another implementation leaves behind. */
class MendTest {

  @Test
  void admittedWithoutAReservation() {
    Situation odd = workload().condition("Admitted", true, "Admitted", 1).situation();
    Outcome outcome =
        Outcome.plan(odd, 5).by(Rule.MEND).condition("Admitted", "False(NoReservation)@5");
    assertThat(outcome.eventReasons()).containsExactly("StatusMended");
    Outcome.plan(outcome.applied(odd), 6).nothing().waitsFor(Waiting.QUOTA);
  }

  @Test
  void anAdmissionWithoutAReservation() {
    Outcome.plan(workload().reserved(1).released(2).situation(), 5).by(Rule.MEND).released();
  }

  @Test
  void admittedWithoutAnAssignmentIsEvictedAndQueuesAgain() {
    Situation odd = workload().admitted(1).withoutAdmission().situation();
    Outcome evicted =
        Outcome.plan(odd, 5).by(Rule.MEND).condition("Evicted", "True(AssignmentLost)@5");
    Situation stopped = evicted.applied(odd).withOwner(Owner.STOPPED);
    Outcome.plan(stopped, 6).by(Rule.RELEASE).phase(Phase.QUEUED);
  }

  @Test
  void heldForAReasonThatNothingEnds() {
    Outcome.plan(workload().heldFor("NodeFailures").situation(), 5)
        .by(Rule.MEND)
        .phase(Phase.QUEUED);
  }
}
