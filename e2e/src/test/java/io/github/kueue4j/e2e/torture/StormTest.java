// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.e2e.cluster.Cluster;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StormTest {
  private static final Duration NEVER = Duration.ofHours(1);

  /** Without quota nothing is admitted, and no kill is due that would end the wait. */
  @Test
  void aRoundInVainEndsWithItsPatienceAndNamesWhatHasNotFinished() throws InterruptedException {
    NaiveCheck.Style style =
        new NaiveCheck.Style(1, 1, Duration.ofSeconds(1), Duration.ofSeconds(1), 0);
    try (TimeSource time = TimeSource.scaled(Instant.parse("2026-03-02T10:00:00Z"), 10);
        Cluster cluster = EmbeddedCluster.start(0, time);
        Storm storm = Storm.start(cluster, time, new Storm.Setup(0, style, false, 1))) {

      assertThatThrownBy(() -> storm.round(1, 2, NEVER, Duration.ofSeconds(3)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("round 1 hasn't finished within PT3S")
          .hasMessageContaining("0 of 2 Workloads have finished")
          .hasMessageContaining("Workload torture/r1-0: ")
          .hasMessageContaining("Job torture/r1-1: suspend true");
    }
  }
}
