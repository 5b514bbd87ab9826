// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the real core did on the embedded server is recorded, and a replay does the same. */
@Simulated
class RecordAndReplayTest {
  private static final Duration STEP = Duration.ofSeconds(10);

  @Test
  void aReplayWithoutChangesReservesTheSameInTheSameOrder() throws InterruptedException {
    try (TestCluster cluster = new TestCluster()) {
      cluster.queue("", "default=3");
      cluster.startCore();
      try (RecordedCluster recorded = new RecordedCluster(cluster)) {
        for (int job = 0; job < 10; job++) {
          recorded.job("job-" + job, 1 + job % 2, Duration.ofSeconds(20 + 10 * (job % 3)), "");
          recorded.pass(STEP);
        }
        while (!recorded.allDone()) {
          recorded.pass(STEP);
        }
        byte[] file = recorded.end();

        ReplayReport report =
            MemoryRecording.replay(file, Configuration.defaults(), ReplayChanges.none());

        assertThat(report.differences()).isEmpty();
        assertThat(report.assumptions()).isEmpty();
        assertThat(report.recorded()).isEqualTo(10);
        assertThat(report.same()).isEqualTo(10);
        assertThat(MemoryRecording.said(report.replayed()))
            .isEqualTo(MemoryRecording.decisions(file));
        var queue = report.queues().get("cq");
        assertThat(queue.replayed().admitted()).isEqualTo(10);
        assertThat(queue.recorded().waits().getLast()).isGreaterThan(STEP);
        assertThat(queue.replayed().waits().getLast())
            .isBetween(
                queue.recorded().waits().getLast().minusSeconds(1),
                queue.recorded().waits().getLast().plusSeconds(1));

        ReplayReport more =
            MemoryRecording.replay(
                file,
                Configuration.defaults(),
                new ReplayChanges(Map.of("cq/cpu", "20"), List.of()));
        assertThat(more.queues().get("cq").replayed().waits().getLast()).isZero();
      }
    }
  }
}
