// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.simulation.Simulated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A core that takes over knows for which Workload others are being evicted. */
@Simulated
class TakenOverPreemptionTest {
  private static final String GATE = "kueue.x-k8s.io/admission-gated-by";

  @ParameterizedTest(name = "restarted: {0}")
  @ValueSource(booleans = {false, true})
  void whatAVictimReleasesIsNotTakenByAnOlderWorkloadOfTheSamePriority(boolean restarted) {
    try (TestCluster cluster = new TestCluster()) {
      Contest.classes(cluster);
      cluster.queue(Contest.LOWER, "default=2");
      cluster.startCore();
      Contest.running(cluster, "victim", "low", 2);
      cluster.apply(
          TestJob.named("rival")
              .queue("lq")
              .priority("high")
              .cpus(2)
              .annotation(GATE, "example.com/g")
              .yaml());
      cluster.workload("rival");
      Contest.job(cluster, "urgent", "high", 2);
      cluster.awaitWorkload(
          "victim", workload -> TestCluster.isTrue(workload, WorkloadConditions.EVICTED));
      cluster.awaitSuspended("victim", true);
      cluster.settle();

      if (restarted) {
        cluster.crashCore();
      }
      openGate(cluster);
      if (restarted) {
        cluster.startCore();
      }
      cluster.settle();
      cluster.podsGone("victim");

      cluster.awaitSuspended("urgent", false);
      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("rival"))).isFalse();
      cluster.jobSucceeds("urgent");
      cluster.awaitSuspended("rival", false);
    }
  }

  private static void openGate(TestCluster cluster) {
    var open = TestCluster.merge("{\"metadata\": {\"annotations\": {\"" + GATE + "\": null}}}");
    cluster.api.patch(CoreTypes.JOB, TestCluster.key("rival"), open);
    cluster.api.patch(KueueTypes.WORKLOAD, cluster.workload("rival").key(), open);
  }
}
