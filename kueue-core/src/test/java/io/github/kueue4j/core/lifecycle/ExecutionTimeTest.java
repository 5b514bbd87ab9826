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
        limited(PodsReadyTest.waiting(workload().admitted(10).situation(), null), 5, 0);
    Outcome observed = Outcome.plan(both, 11).by(Rule.PODS_READY);
    Outcome.plan(observed.applied(both), 12).nothing().wakesAt(15.0);
  }
}
