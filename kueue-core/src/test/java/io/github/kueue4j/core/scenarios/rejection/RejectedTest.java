// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.scenarios.rejection;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.api.WorkloadConditions;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rejection deactivates, frees the quota, and ends only when a user activates the Workload. */
@Tag("quick")
@Simulated
class RejectedTest {
  @Test
  void rejectedDeactivatesAndAUserBringsItBack() {
    try (TestCluster cluster = new TestCluster()) {
      cluster.check("budget");
      cluster.queue("admissionChecksStrategy: {admissionChecks: [{name: budget}]}", "default=1");
      cluster.startCore();
      cluster.job("first", 1);
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.job("second", 1);
      cluster.workload("second");

      cluster.answer("first", "budget", CheckState.REJECTED, null);

      Workload rejected =
          cluster.awaitWorkload(
              "first", workload -> !workload.spec().active() && !TestCluster.reserved(workload));
      assertThat(TestCluster.condition(rejected, WorkloadConditions.EVICTED).reason())
          .isEqualTo("DeactivatedDueToAdmissionCheck");
      cluster.awaitWorkload("second", TestCluster::reserved);
      cluster.answer("second", "budget", CheckState.READY, null);
      cluster.awaitWorkload("second", TestCluster::admitted);
      cluster.jobSucceeds("second");

      cluster.settle();
      assertThat(TestCluster.reserved(cluster.workload("first"))).isFalse();
      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(cluster.workload("first")),
          TestCluster.merge("{'spec': {'active': true}}"));
      cluster.awaitWorkload("first", TestCluster::reserved);
      cluster.answer("first", "budget", CheckState.READY, null);
      cluster.awaitSuspended("first", false);
    }
  }
}
