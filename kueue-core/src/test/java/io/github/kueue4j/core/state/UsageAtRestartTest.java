// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.state;

import static io.github.kueue4j.core.testing.TeamState.NOW;
import static io.github.kueue4j.core.testing.TeamState.cpus;
import static io.github.kueue4j.core.testing.TeamState.key;
import static io.github.kueue4j.jobs.testing.FromYaml.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.kueue4j.api.LocalQueue;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.preemption.PreemptionSettings;
import io.github.kueue4j.core.status.QueueUsage;
import io.github.kueue4j.core.testing.TeamState;
import io.github.kueue4j.core.usage.UsagePolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What admission fair sharing (KEP-4136) still knows after a restart of one of ten pods of a CPU
 * each, which was Admitted at the last sample, five minutes ago. Half of a usage is left after five
 * minutes, and its entry costs half of what it asks for: 2.5 CPUs by now, plus half of what ran all
 * the time.
 */
class UsageAtRestartTest {
  private static final UsagePolicy POLICY =
      new UsagePolicy(Duration.ofMinutes(5), Duration.ofMinutes(5), Map.of(), null);

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "runs with all its pods,        0,  False, 7.5",
    "has just finished,             0,  True,  7.5",
    "finished one pod by the other, 10, True,  7.5",
    "finished but for one pod,      9,  True,  7.5",
    "one pod still runs,            9,  False, 3.0",
    "its last pod has just stopped, 10, False, 2.5"
  })
  void countsItsEntryAndItsTime(String name, int reclaimable, String finished, double expected) {
    TeamState team = new TeamState(POLICY, PreemptionSettings.classical());
    team.clusterQueue("cq", cpus(10));
    team.state()
        .configObjects()
        .localQueue(
            key("lq"),
            read(
                LocalQueue.class,
                """
                {metadata: {name: lq, namespace: team}, spec: {clusterQueue: cq},
                  status: {fairSharing: {weightedShare: 0, admissionFairSharingStatus:
                    {consumedResources: {}, lastUpdate: '2026-01-05T07:55:00Z'}}}}
                """),
            NOW);
    team.state()
        .workloads()
        .observed(
            read(
                Workload.class,
                """
                {metadata: {name: w, namespace: team, uid: uid, resourceVersion: '1',
                    creationTimestamp: '2026-01-05T07:00:00Z'},
                  spec: {queueName: lq, podSets: [{name: main, count: 10, template:
                    {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]},
                  status: {
                    admission: {clusterQueue: cq, podSetAssignments: [{name: main, count: 10,
                      flavors: {cpu: default}, resourceUsage: {cpu: 10}}]},
                    reclaimablePods: [{name: main, count: %d}],
                    conditions: [
                      {type: QuotaReserved, status: 'True', reason: R, message: '',
                        lastTransitionTime: '2026-01-05T07:55:00Z'},
                      {type: Admitted, status: 'True', reason: R, message: '',
                        lastTransitionTime: '2026-01-05T07:55:00Z'},
                      {type: Finished, status: '%s', reason: R, message: '',
                        lastTransitionTime: '2026-01-05T08:00:00Z'}]}}
                """
                    .formatted(reclaimable, finished)),
            NOW);

    team.schedule();

    QueueUsage usage =
        Objects.requireNonNull(team.state().reports().localQueue(key("lq")).orElseThrow().usage());
    assertThat(usage.compared()).isCloseTo(expected, within(1e-9));
  }
}
