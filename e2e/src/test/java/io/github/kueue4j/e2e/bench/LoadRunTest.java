// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.components.RunningCore;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadRunTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** High priorities come last, so that some that run are preempted. */
  private static final String LOAD =
      """
      cohorts:
        - name: c
          count: 1
          queues:
            - name: q
              count: 2
              nominalQuota: 2
              withinClusterQueue: LowerPriority
              reclaimWithinCohort: Any
              workloads:
                - {name: low, count: 6, every: 1ms, cpu: 1, runtime: 5s}
                - {name: high, count: 2, every: 500ms, cpu: 2, runtime: 100ms, priority: 9}
      """;

  @Test
  void everyWorkloadRunsToItsEnd() throws Exception {
    Load load = LoadFile.parse(LOAD);
    List<String> objects = new ArrayList<>(Crds.kueue());
    try (TimeSource time = TimeSource.system();
        EmbeddedCluster cluster = EmbeddedCluster.start(0, time, objects);
        RunningCore core =
            RunningCore.start(
                Target.of(cluster.kubeconfig()), Playground.quietConfiguration(), time);
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("bench")) {
      assertThat(core.leading()).isTrue();
      LoadRun run = new LoadRun(connection, load, time);

      Outcome outcome = run.run(LIMIT, (created, finished) -> {});

      assertThat(outcome.complete()).isTrue();
      assertThat(outcome.created()).isEqualTo(16);
      assertThat(outcome.waits())
          .containsOnlyKeys("low", "high")
          .hasEntrySatisfying("low", waits -> assertThat(waits.sorted()).hasSize(12))
          .hasEntrySatisfying("high", waits -> assertThat(waits.sorted()).hasSize(4));
      assertThat(outcome.makespan()).isGreaterThanOrEqualTo(QuotaBound.of(load));
      assertThat(BenchReport.of(load, outcome, null, cluster.requests()))
          .contains("16 of 16 workloads finished", "patch workloads/status", "ratio");

      run.cleanUp();
      assertThat(connection.api().list(KueueTypes.LOCAL_QUEUE, ListOptions.all()).items())
          .isEmpty();
    }
  }
}
