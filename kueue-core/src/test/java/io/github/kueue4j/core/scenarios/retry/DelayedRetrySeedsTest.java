// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Seeds;
import io.github.kueue4j.simulation.Simulation;
import io.github.kueue4j.testdefaults.Nightly;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A delayed retry in many orders of steps, and that a seed repeats its order exactly. */
@Tag("nightly")
@Tag("simulates")
class DelayedRetrySeedsTest {

  @Test
  void theDelayIsKeptInEveryOrder() throws Exception {
    Set<Long> orders = new HashSet<>();
    int seeds = Nightly.bound(100, 2_000);
    Seeds.each(seeds, simulation -> orders.add(live(simulation)));
    assertThat(orders).hasSize(seeds);
  }

  @Test
  void aSeedRepeatsItsOrderExactly() throws Exception {
    try (Simulation one = Simulation.of(7);
        Simulation other = Simulation.of(7)) {
      assertThat(live(one)).isEqualTo(live(other));
    }
  }

  /** The trace of a life with a delayed retry. */
  private static long live(Simulation simulation) throws Exception {
    simulation.run("test", DelayedRetrySeedsTest::retried);
    return simulation.trace();
  }

  private static Void retried() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.answer("first", "budget", CheckState.RETRY, 600);
      cluster.job("second", 1);
      cluster.answer("second", "budget", CheckState.READY, null);
      cluster.awaitWorkload("second", TestCluster::admitted);
      assertThat(TestCluster.reserved(cluster.workload("first"))).isFalse();
      cluster.jobSucceeds("second");

      cluster.pass(Duration.ofSeconds(599));
      assertThat(TestCluster.reserved(cluster.workload("first"))).isFalse();
      cluster.advance(Duration.ofSeconds(1));
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.answer("first", "budget", CheckState.READY, null);
      cluster.awaitWorkload("first", TestCluster::admitted);
    }
    return null;
  }
}
