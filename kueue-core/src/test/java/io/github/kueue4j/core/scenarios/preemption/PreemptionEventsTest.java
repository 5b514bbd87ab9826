// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.KueueCore;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import io.kubernetes.client.openapi.models.EventsV1Event;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A preemption has one event, on the Workload that gets the quota, however many it takes it from.
 */
@Simulated
class PreemptionEventsTest {
  private static final List<String> VICTIMS = List.of("victim-0", "victim-1", "victim-2");

  @Test
  void oneEventNamesAllVictims() {
    try (TestCluster cluster = new TestCluster()) {
      KueueCore core = preempted(cluster, "");

      // What is left to count is written at the end.
      core.close();

      assertThat(cluster.server.requests().count(writes("create"))).isEqualTo(1);
      assertThat(cluster.server.requests().count(writes("patch"))).isEqualTo(1);
      EventsV1Event event = events(cluster, "PreemptedWorkload").getFirst();
      assertThat(Objects.requireNonNull(event.getRegarding()).getName())
          .isEqualTo(cluster.workload("urgent").metadata().getName());
      assertThat(event.getNote())
          .startsWith("Preempted 3 workloads: ")
          .contains(VICTIMS.stream().map(job -> name(cluster, job)).toList())
          .endsWith("; preemptor effective priority: 100 (base: 100, boost: 0)");
      assertThat(Objects.requireNonNull(event.getSeries()).getCount()).isEqualTo(VICTIMS.size());
    }
  }

  @Test
  void withAllEventsEachVictimHasOneToo() {
    try (TestCluster cluster = new TestCluster()) {
      preempted(cluster, "kueue4j: {events: All}\n");

      cluster.awaitThat(
          "all are told", world -> events(world, "Preempted").size() == VICTIMS.size());
      assertThat(events(cluster, "Preempted"))
          .allSatisfy(
              event ->
                  assertThat(event.getNote())
                      .startsWith("Preempted to accommodate a workload (UID: ")
                      .endsWith("; preemptee effective priority: 1 (base: 1, boost: 0)"));
    }
  }

  private static KueueCore preempted(TestCluster cluster, String configuration) {
    Contest.classes(cluster);
    cluster.queue(Contest.LOWER, "default=3");
    KueueCore core = cluster.startCore(configuration);
    VICTIMS.forEach(victim -> Contest.running(cluster, victim, "low", 1));

    Contest.job(cluster, "urgent", "high", 3);

    for (String victim : VICTIMS) {
      cluster.awaitWorkload(
          victim, workload -> TestCluster.isTrue(workload, WorkloadConditions.EVICTED));
    }
    cluster.settle();
    return core;
  }

  private static String name(TestCluster cluster, String job) {
    return TestCluster.NAMESPACE + "/" + cluster.workload(job).metadata().getName() + " (UID: ";
  }

  private static RequestMatcher writes(String verb) {
    return RequestMatcher.verbs(verb).and(RequestMatcher.resource("events"));
  }

  private static List<EventsV1Event> events(TestCluster cluster, String reason) {
    return cluster
        .api
        .list(CoreTypes.EVENT, ListOptions.inNamespace(TestCluster.NAMESPACE))
        .items()
        .stream()
        .filter(event -> reason.equals(event.getReason()))
        .toList();
  }
}
