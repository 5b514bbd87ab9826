// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every Workload says why it waits, those that weren't tried included. */
@Tag("quick")
@Simulated
class EveryoneIsToldTest {
  private static final int WAITING = 5;

  @Test
  void equivalentWorkloadsAreToldOnceThoughTheyWereNotTried() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      cluster.job("runs", 2);
      cluster.awaitSuspended("runs", false);
      submitWaiting(cluster);

      cluster.pass(Duration.ofSeconds(10));
      assertThat(told(cluster)).isEqualTo(1);

      cluster.pass(Duration.ofSeconds(25));
      cluster.awaitThat("everyone is told", world -> told(world) == WAITING);
      assertThat(cluster.workloads())
          .filteredOn(workload -> !TestCluster.reserved(workload))
          .hasSize(WAITING)
          .allSatisfy(
              workload ->
                  assertThat(
                          TestCluster.condition(workload, WorkloadConditions.QUOTA_RESERVED)
                              .reason())
                      .isEqualTo("WaitingForQuota"));

      long before = writes(cluster);
      cluster.pass(Duration.ofMinutes(10));
      assertThat(writes(cluster)).isEqualTo(before);
    }
  }

  @Test
  void thoseBehindTheHeadOfAStrictQueueAreTold() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("queueingStrategy: StrictFIFO", "default=2");
      cluster.startCore();
      cluster.job("head", 3);
      cluster.workload("head");
      cluster.settle();
      cluster.advance(Duration.ofSeconds(1));
      submitWaiting(cluster);

      cluster.pass(Duration.ofSeconds(35));

      cluster.awaitThat("everyone is told", world -> told(world) == WAITING + 1);
      Workload behind = cluster.workload("waits-0");
      assertThat(TestCluster.condition(behind, WorkloadConditions.QUOTA_RESERVED).reason())
          .isEqualTo("PendingEvaluation");
      assertThat(TestCluster.condition(behind, WorkloadConditions.QUOTA_RESERVED).message())
          .contains("head of ClusterQueue cq");
    }
  }

  private static void submitWaiting(TestCluster cluster) {
    IntStream.range(0, WAITING).forEach(i -> cluster.job("waits-" + i, 1));
    IntStream.range(0, WAITING).forEach(i -> cluster.workload("waits-" + i));
    cluster.settle();
  }

  private static long told(TestCluster cluster) {
    return cluster.workloads().stream()
        .filter(
            workload ->
                Conditions.find(workload.status().conditions(), WorkloadConditions.QUOTA_RESERVED)
                    .filter(condition -> condition.isFalse())
                    .isPresent())
        .count();
  }

  private static long writes(TestCluster cluster) {
    return cluster
        .server
        .requests()
        .count(RequestMatcher.verbs("patch").and(RequestMatcher.resource("workloads")));
  }
}
