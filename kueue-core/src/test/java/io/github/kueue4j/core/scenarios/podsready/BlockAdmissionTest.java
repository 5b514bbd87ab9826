// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.podsready;

import static io.github.kueue4j.core.testing.TestCluster.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.Conditions;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** KEP-1282, blockAdmission: one starts after the other. */
@Tag("quick")
@Simulated
class BlockAdmissionTest {
  private static final String BLOCKING = "waitForPodsReady: {timeout: 5m, blockAdmission: true}\n";

  private static boolean waits(Workload workload) {
    return Conditions.find(workload.status().conditions(), "QuotaReserved")
        .filter(Condition::isFalse)
        .filter(condition -> condition.reason().equals("WaitingForPodsReady"))
        .isPresent();
  }

  @Test
  void oneStartsAfterTheOtherThoughThereIsQuotaForAll() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=3");
      cluster.startCore(BLOCKING);
      List<String> jobs = List.of("a", "b", "c");
      for (String job : jobs) {
        cluster.job(job, 1);
        cluster.workload(job);
        cluster.advance(Duration.ofSeconds(1));
      }
      cluster.awaitSuspended("a", false);
      cluster.passUntil("the next one is told", there -> waits(there.workload("b")));
      assertThat(condition(cluster.workload("b"), "QuotaReserved").message())
          .isEqualTo("waiting for all admitted workloads to be in PodsReady condition");
      assertThat(TestCluster.reserved(cluster.workload("c"))).isFalse();

      cluster.pods("a", 1, 1);

      cluster.awaitSuspended("b", false);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("c"))).isFalse();

      cluster.pods("b", 1, 1);
      cluster.awaitSuspended("c", false);
    }
  }

  @Test
  void aWorkloadThatDoesNotStartBlocksOnlyUntilTheTimeout() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(BLOCKING);
      cluster.job("stuck", 1);
      cluster.awaitSuspended("stuck", false);
      cluster.pods("stuck", 1, 0);
      cluster.advance(Duration.ofSeconds(1));
      cluster.job("next", 1);
      cluster.workload("next");
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();

      cluster.advance(Duration.ofMinutes(5));

      cluster.awaitSuspended("next", false);
    }
  }

  @Test
  void aRestartedCoreKnowsWhichWorkloadStarts() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore(BLOCKING);
      cluster.job("starting", 1);
      cluster.awaitSuspended("starting", false);
      cluster.settle();
      cluster.crashCore();
      cluster.job("next", 1);

      cluster.startCore(BLOCKING);
      cluster.workload("next");
      cluster.settle();

      assertThat(TestCluster.reserved(cluster.workload("next"))).isFalse();
      cluster.pods("starting", 1, 1);
      cluster.awaitSuspended("next", false);
    }
  }
}
