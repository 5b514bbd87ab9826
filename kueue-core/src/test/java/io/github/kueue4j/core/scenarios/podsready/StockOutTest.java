// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.podsready;

import static io.github.kueue4j.core.testing.TestCluster.isTrue;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * KEP-1282, story 1: there are no nodes of the second flavor to be had, so the pods of a Job that
 * got its quota don't get ready in time; meanwhile quota of the first flavor is given back.
 */
@Simulated
class StockOutTest {
  @Test
  void withCreationTheEvictedJobIsFirstInLineForTheFlavorThatIsFreeNow() {
    try (TestCluster cluster = stockOut("Creation")) {
      cluster.jobSucceeds("long");

      starts(cluster, "stuck");
      assertThat(flavor(cluster, "stuck")).isEqualTo("on-demand");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("third"))).isFalse();
    }
  }

  @Test
  void withEvictionItIsForTheOneThatHasWaitedSinceBefore() {
    try (TestCluster cluster = stockOut("Eviction")) {
      cluster.jobSucceeds("long");

      starts(cluster, "third");
      assertThat(flavor(cluster, "third")).isEqualTo("on-demand");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("stuck"))).isFalse();
    }
  }

  /**
   * {@code long} runs on the first flavor; {@code stuck} got the second, was evicted and waits
   * again; {@code later}, whose pods got the last node, runs there now, and {@code third} waits.
   */
  private static TestCluster stockOut(String timestamp) {
    TestCluster cluster = new TestCluster();
    cluster.queue("", "on-demand=1", "spot=1");
    cluster.startCore(
        "waitForPodsReady: {timeout: 5m, requeuingStrategy: {timestamp: "
            + timestamp
            + ", backoffBaseSeconds: 10}}\n");
    for (String job : new String[] {"long", "stuck", "later", "third"}) {
      cluster.job(job, 1);
      cluster.workload(job);
      cluster.settle();
      cluster.advance(Duration.ofSeconds(5));
    }
    starts(cluster, "long");
    assertThat(flavor(cluster, "long")).isEqualTo("on-demand");
    assertThat(flavor(cluster, "stuck")).isEqualTo("spot");

    cluster.pods("stuck", 1, 0);
    cluster.settle();
    cluster.advance(Duration.ofMinutes(5));
    cluster.awaitSuspended("stuck", true);
    cluster.pods("stuck", 0, 0);
    starts(cluster, "later");
    assertThat(flavor(cluster, "later")).isEqualTo("spot");
    cluster.advance(Duration.ofSeconds(11));
    cluster.awaitWorkload("stuck", workload -> isTrue(workload, "Requeued"));
    cluster.settle();
    assertThat(TestCluster.reserved(cluster.workload("stuck"))).isFalse();
    return cluster;
  }

  private static void starts(TestCluster cluster, String job) {
    cluster.awaitSuspended(job, false);
    cluster.pods(job, 1, 1);
    cluster.awaitWorkload(job, workload -> isTrue(workload, "PodsReady"));
  }

  private static String flavor(TestCluster cluster, String job) {
    Workload workload = cluster.workload(job);
    return Objects.requireNonNull(workload.status().admission())
        .podSetAssignments()
        .getFirst()
        .flavors()
        .get("cpu");
  }
}
