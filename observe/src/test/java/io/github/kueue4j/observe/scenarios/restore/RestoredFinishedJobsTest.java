// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.scenarios.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.core.testing.TestJob;
import io.github.kueue4j.observe.restore.Restoration;
import io.github.kueue4j.observe.restore.RestoreReport;
import io.github.kueue4j.observe.restore.RestoredWorkload;
import io.github.kueue4j.observe.restore.RestoredWorkload.RestoreOutcome;
import io.github.kueue4j.observe.restore.WorkloadBackup;
import io.github.kueue4j.runtime.client.DeleteOptions;
import io.github.kueue4j.runtime.client.ListOptions;
import io.github.kueue4j.simulation.Simulated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Job had finished when the backup was made, and comes back as a tool creates it: without its
 * end.
 */
@Simulated
class RestoredFinishedJobsTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJobThatHadFinishedIsQueuedAnew(boolean suspended) {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=2");
      cluster.startCore();
      cluster.job("done", 1);
      cluster.awaitSuspended("done", false);
      cluster.jobSucceeds("done");
      cluster.awaitWorkload("done", workload -> workload.conditions().finished());
      cluster.settle();
      WorkloadBackup backup =
          new WorkloadBackup(cluster.api.list(KueueTypes.WORKLOAD, ListOptions.all()).items());
      cluster.crashCore();
      lose(cluster);
      cluster.apply(
          TestJob.named("done")
              .queue("lq")
              .cpus(1)
              .yaml()
              .replace("suspend: true", "suspend: " + suspended));

      RestoreReport report = new Restoration(cluster.api).restore(backup, cluster.time.instant());

      assertThat(report.workloads())
          .singleElement()
          .extracting(RestoredWorkload::outcome, RestoredWorkload::why)
          .containsExactly(
              RestoreOutcome.NOT_NEEDED, "it had finished; its Job of now is queued anew");
      assertThat(report.unadmitted()).hasSize(suspended ? 0 : 1);
      cluster.startCore();
      Workload anew = cluster.awaitWorkload("done", TestCluster::admitted);
      assertThat(anew.conditions().finished()).isFalse();
      cluster.awaitSuspended("done", false);
    }
  }

  private static void lose(TestCluster cluster) {
    for (Workload workload : cluster.workloads()) {
      cluster.api.patch(
          KueueTypes.WORKLOAD,
          ObjectKey.of(workload),
          TestCluster.merge("{\"metadata\": {\"finalizers\": null}}"));
      cluster.api.delete(KueueTypes.WORKLOAD, ObjectKey.of(workload), DeleteOptions.background());
    }
    cluster.api.delete(CoreTypes.JOB, TestCluster.key("done"), DeleteOptions.background());
    cluster.awaitThat(
        "the Job is gone",
        world -> world.api.get(CoreTypes.JOB, TestCluster.key("done")).isEmpty());
  }
}
