// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.testing.TeamState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Workload comes back after a delay, older than an equal one that was refused meanwhile. */
class OlderWorkloadTest {
  private final TeamState team = new TeamState(null, PreemptionSettings.classical());

  @Test
  void preemptsANewerOneOfEqualPriorityWhereThePolicyPermitsThat() {
    assertThat(decidedAboutTheOlder("LowerOrNewerEqualPriority")).containsExactly("Preempt old");
  }

  @Test
  void isNotTriedInVainWhereItDoesNot() {
    assertThat(decidedAboutTheOlder("LowerPriority")).isEmpty();
  }

  private List<String> decidedAboutTheOlder(String policy) {
    team.clusterQueue("cq", "preemption: {withinClusterQueue: %s}, ".formatted(policy) + cpus(1));
    team.localQueue("lq", "cq", 0);
    team.arriving("holder", "lq", 1, 0);
    team.sends("holder");
    team.arriving("young", "lq", 1, 0);
    assertThat(team.decided()).containsExactly("ReserveQuota holder", "Inadmissible young");

    team.state()
        .workloads()
        .observed(
            read(
                Workload.class,
                """
                {metadata: {name: old, namespace: team, uid: uid-old, resourceVersion: '99',
                    creationTimestamp: '2026-01-05T07:00:00Z'},
                  spec: {queueName: lq, priority: 0, podSets: [{name: main, count: 1, template:
                    {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]}}
                """),
            NOW);
    team.schedule();
    return team.decided().stream().filter(decision -> decision.endsWith(" old")).toList();
  }
}
