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

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.StopPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R9. */
class ReactivateTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Deactivated",
        "DeactivatedDueToAdmissionCheck",
        "DeactivatedDueToRequeuingLimitExceeded"
      })
  void everyReasonWithThePrefixIsRequeued(String reason) {
    Outcome.plan(workload().heldFor(reason).situation(), 20)
        .by(Rule.REACTIVATE)
        .phase(Phase.QUEUED)
        .condition("Requeued", "True(Reactivated)@20");
  }

  @Test
  void whatWasWrittenWhileInactiveIsResetWithoutCounts() {
    Outcome.plan(
            workload()
                .heldFor("Deactivated")
                .entry("a", CheckState.RETRY, 10, 600, 3)
                .entry("b", CheckState.READY, 10, null, 2)
                .requeueAt(610)
                .situation(),
            20)
        .by(Rule.REACTIVATE)
        .entries("a=Pending@20 b=Pending@20")
        .requeueAt(null);
  }

  @Test
  void underAStoppedQueueItIsHeldForTheQueue() {
    Situation inactive = workload().heldFor("Deactivated").situation();
    QueueFacts lq = QueueFacts.running("lq");
    QueueFacts cq = QueueFacts.running("cq");
    Outcome.plan(inactive.withQueues(lq, QueueFacts.stopped("cq", StopPolicy.HOLD)), 20)
        .by(Rule.REACTIVATE)
        .phase(Phase.HELD)
        .condition("Requeued", "False(ClusterQueueStopped)@0");
    Outcome.plan(inactive.withQueues(QueueFacts.stopped("lq", StopPolicy.HOLD_AND_DRAIN), cq), 20)
        .condition("Requeued", "False(LocalQueueStopped)@0");
  }

  @Test
  void notWhileStillReserved() {
    Outcome.plan(
            workload().admitted(1).evicted("Deactivated", 10).heldFor("Deactivated").situation(),
            20)
        .nothing()
        .waitsFor(Waiting.OWNER_TO_STOP);
  }

  @Test
  void notWhileSomethingIsRejected() {
    Outcome.plan(workload().heldFor("Deactivated").rejected("a", 10).situation(), 20)
        .by(Rule.REJECT);
  }

  @Test
  void notWhileInactive() {
    Outcome.plan(workload().inactive().heldFor("Deactivated").situation(), 20)
        .nothing()
        .waitsFor(Waiting.ACTIVATION);
  }

  @Test
  void aFullRoundOfDeactivationAndReactivationLeavesACleanWorkload() {
    Situation queued = workload().situation();
    Situation inactive =
        queued.withWorkload(queued.workload().withSpec(queued.workload().spec().withActive(false)));
    Situation deactivated = Outcome.plan(inactive, 20).by(Rule.DEACTIVATE).applied(inactive);
    Outcome.plan(deactivated, 21).nothing();
    Situation active =
        deactivated.withWorkload(deactivated.workload().withSpec(queued.workload().spec()));
    Outcome back = Outcome.plan(active, 22).by(Rule.REACTIVATE);
    assertThat(back.message("Requeued")).isEqualTo("The workload was reactivated");
    Outcome.plan(back.applied(active), 23).nothing().waitsFor(Waiting.QUOTA);
  }
}
