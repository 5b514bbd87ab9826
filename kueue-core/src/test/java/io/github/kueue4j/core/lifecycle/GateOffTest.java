// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;

import io.github.kueue4j.api.CheckState;
import org.junit.jupiter.api.Test;

/** Feature gate ACRequeueAfter off. */
class GateOffTest {

  private static Situation off(WorkloadBuilder workload) {
    return workload
        .situation()
        .withSettings(LifecycleSettings.defaults().withAcRequeueAfter(false));
  }

  @Test
  void aRetryHasTheShortestDelayWhateverItAsksFor() {
    Situation reserved =
        off(
            workload()
                .reserved(10)
                .entry("a", CheckState.RETRY, 20, 60, 1)
                .entry("b", CheckState.READY, 12, null, 2));
    Outcome evicted =
        Outcome.plan(reserved, 20)
            .by(Rule.EVICT_FOR_RETRY)
            .released()
            .requeueAt(21.0)
            .condition("Requeued", "False(AdmissionCheck)@20")
            .wakesAt(21.0);
    Outcome.plan(evicted.applied(reserved), 21)
        .by(Rule.REQUEUE)
        .entries("a=Pending@21#2 b=Pending@20")
        .phase(Phase.QUEUED);
  }

  @Test
  void anAdmittedOneIsRequeuedOnceItsOwnerHasStopped() {
    Situation admitted = off(workload().admitted(10).retry("a", 20, 60));
    Situation evicting =
        Outcome.plan(admitted, 20).by(Rule.EVICT_FOR_RETRY).stillReserved().applied(admitted);
    Situation stopped = evicting.withOwner(Owner.STOPPED);
    Situation released = Outcome.plan(stopped, 25).by(Rule.RELEASE).applied(stopped);
    Outcome.plan(released, 25).by(Rule.REQUEUE).phase(Phase.QUEUED);
  }

  @Test
  void aStrayRetryHasItToo() {
    Outcome.plan(off(workload().retry("a", 20, 600)), 20).by(Rule.STRAY_RETRY).requeueAt(21.0);
  }

  @Test
  void aPodsReadyBackoffStillHolds() {
    Outcome.plan(off(workload().heldFor("PodsReadyTimeout").requeueState(1, 80.0)), 20)
        .nothing()
        .wakesAt(80.0);
  }

  @Test
  void turningTheGateOffEndsARunningBackoff() {
    Outcome.plan(off(workload().heldFor("AdmissionCheck").retry("a", 20, 600).requeueAt(620)), 30)
        .by(Rule.REQUEUE)
        .requeueAt(null)
        .entries("a=Pending@30#1");
  }
}
