// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.priority;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import org.junit.jupiter.api.Test;

/** The annotation {@code kueue.x-k8s.io/priority-boost}, and the gate that makes it count. */
@Simulated
class PriorityBoostTest {
  private static final String ON = "featureGates: {PriorityBoost: true}\n";
  private static final String PREEMPTING = "preemption: {withinClusterQueue: LowerPriority}";

  @Test
  void aBoostedWorkloadGoesBeforeOthersThatHaveWaitedLonger() {
    assertThat(nextAfterBoost(ON, "5")).isEqualTo("second");
    assertThat(nextAfterBoost(ON, "-5")).isEqualTo("first");
    assertThat(nextAfterBoost(ON, "high")).as("no number, no boost").isEqualTo("first");
    assertThat(nextAfterBoost("", "5")).as("with the gate off").isEqualTo("first");
  }

  private static String nextAfterBoost(String configuration, String boost) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=1");
      cluster.startCore(configuration);
      cluster.job("runs", 1);
      cluster.awaitSuspended("runs", false);
      cluster.job("first", 1);
      cluster.workload("first");
      cluster.pass(java.time.Duration.ofSeconds(2));
      cluster.job("second", 1);
      boost(cluster, "second", boost);
      cluster.settle();

      cluster.jobSucceeds("runs");
      cluster.awaitThat(
          "one of them runs", world -> !suspended(world, "first") || !suspended(world, "second"));
      cluster.settle();
      assertThat(suspended(cluster, "first")).isNotEqualTo(suspended(cluster, "second"));
      return suspended(cluster, "first") ? "second" : "first";
    }
  }

  @Test
  void aBoostCountsInPreemptionOnBothSides() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue(PREEMPTING, "default=2");
      cluster.startCore(ON + "kueue4j: {events: All}\n");
      cluster.job("shielded", 1);
      boost(cluster, "shielded", "10");
      cluster.job("plain", 1);
      cluster.awaitSuspended("shielded", false);
      cluster.awaitSuspended("plain", false);
      cluster.settle();

      cluster.job("urgent", 1);
      boost(cluster, "urgent", "7");

      cluster.awaitSuspended("plain", true);
      cluster.awaitSuspended("urgent", false);
      assertThat(suspended(cluster, "shielded")).isFalse();
      assertThat(cluster.workload("urgent").spec().priority()).as("as its user wrote").isZero();
      cluster.awaitThat(
          "an event says so",
          world ->
              world.api.list(CoreTypes.EVENT, ListOptions.all()).items().stream()
                  .anyMatch(
                      event ->
                          String.valueOf(event.getNote())
                              .contains(
                                  "preemptor effective priority: 7 (base: 0, boost: 7);"
                                      + " preemptee effective priority: 0 (base: 0, boost: 0)")));
    }
  }

  private static boolean suspended(TestCluster cluster, String job) {
    return Boolean.TRUE.equals(cluster.job(job).getSpec().getSuspend());
  }

  private static void boost(TestCluster cluster, String job, String by) {
    cluster.api.patch(
        KueueTypes.WORKLOAD,
        ObjectKey.of(cluster.workload(job)),
        TestCluster.merge(
            "{\"metadata\": {\"annotations\": {\"kueue.x-k8s.io/priority-boost\": \""
                + by
                + "\"}}}"));
  }
}
