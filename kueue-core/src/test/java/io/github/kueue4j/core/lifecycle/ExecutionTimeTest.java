// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import static io.github.kueue4j.core.lifecycle.WorkloadBuilder.workload;

import io.github.kueue4j.api.Workload;
import org.junit.jupiter.api.Test;

class ExecutionTimeTest {

  /** The same with a limit of its execution time, of which a part is used up. */
  static Situation limited(Situation situation, int seconds, int past) {
    Workload workload = situation.workload();
    return situation.withWorkload(
        workload
            .withSpec(workload.spec().withMaximumExecutionTimeSeconds(seconds))
            .withStatus(
                past == 0
                    ? workload.status()
                    : workload.status().withAccumulatedPastExecutionTimeSeconds(past)));
  }

  @Test
  void whatRanBeforeCounts() {
    Situation admitted = limited(workload().admitted(10).situation(), 100, 70);
    Outcome.plan(admitted, 39).nothing().wakesAt(40.0);
    Outcome.plan(admitted, 40)
        .by(Rule.LIMIT_EXCEEDED)
        .condition("DeactivationTarget", "True(MaximumExecutionTimeExceeded)@40");
  }

  @Test
  void onlyTimeInAdmittedCounts() {
    Outcome.plan(limited(workload().reserved(10).pending("a", 10).situation(), 5, 0), 1_000)
        .by(Rule.ADD_CHECK);
    Outcome.plan(
            limited(workload().reserved(10).pending("a", 10).pending("b", 10).situation(), 5, 0),
            1_000)
        .nothing()
        .wakesAt(null);
    Outcome.plan(limited(workload().situation(), 5, 4), 1_000).nothing().wakesAt(null);
  }

  @Test
  void anEvictionAddsUpAndTheNextAdmissionHasTheRest() {
    Situation evicting =
        limited(
            workload().admitted(10).evicted("Preempted", 30).situation().withOwner(Owner.STOPPED),
            100,
            25);
    Outcome released = Outcome.plan(evicting, 35).by(Rule.RELEASE);
    org.assertj.core.api.Assertions.assertThat(
            released.after().status().accumulatedPastExecutionTimeSeconds())
        .isEqualTo(50);
  }

  @Test
  void theEarlierOfTwoLimitsWakes() {
    Situation both =
        limited(PodsReadyRulesTest.waiting(workload().admitted(10).situation(), null), 5, 0);
    Outcome observed = Outcome.plan(both, 11).by(Rule.PODS_READY);
    Outcome.plan(observed.applied(both), 12).nothing().wakesAt(15.0);
  }
}
